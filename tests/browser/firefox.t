#!/bin/sh
# firefox.t - the interactive SVG in a real Firefox: firefox.js does the work, by the browser's own protocol.
. "$(dirname "$0")/browser.sh"
