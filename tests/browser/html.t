#!/bin/sh
# html.t - the page of HTML in a real browser: html.js does the work (browser.sh).
. "$(dirname "$0")/browser.sh"
