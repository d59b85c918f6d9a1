#!/bin/sh
# svg.t - the interactive SVG in a real browser: svg.js does the work (browser.sh).
. "$(dirname "$0")/browser.sh"
