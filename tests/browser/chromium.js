// chromium.js - starts Chromium for a test: it draws without a graphics card, and all pages share one process.
'use strict';
const { chromium } = require('playwright-core');

module.exports = () => chromium.launch({ executablePath: process.env.CHROMIUM,
	args: ['--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage', '--renderer-process-limit=1', '--process-per-site'] });
