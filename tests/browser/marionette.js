// marionette.js - drives Firefox by its own protocol, Marionette, so that no driver has to be installed.
//
// A message is the length of its JSON, a colon and the JSON: [0, id, command, parameters] to the browser,
// [1, id, error, result] from it.
'use strict';
const { spawn } = require('child_process');
const fs = require('fs');
const net = require('net');
const path = require('path');

const PREFERENCES = {
	'marionette.port': 0, // any; the browser writes it into its profile
	'app.update.enabled': false,
	'browser.shell.checkDefaultBrowser': false,
	'browser.startup.page': 0,
	'browser.startup.homepage_override.mstone': 'ignore',
	'datareporting.policy.dataSubmissionEnabled': false,
	'network.proxy.type': 1, // to nowhere: files need none
	'network.proxy.http': '127.0.0.1',
	'network.proxy.http_port': 9,
	'network.proxy.ssl': '127.0.0.1',
	'network.proxy.ssl_port': 9,
	'toolkit.telemetry.enabled': false,
};

const wait = ms => new Promise(done => setTimeout(done, ms));

async function portOf(profile, child) {
	const file = path.join(profile, 'MarionetteActivePort');
	for (let i = 0; i < 600; i++) {
		if (child.exitCode !== null)
			throw new Error('Firefox ended with status ' + child.exitCode);
		if (fs.existsSync(file) && fs.readFileSync(file, 'utf8').trim())
			return +fs.readFileSync(file, 'utf8');
		await wait(100);
	}
	throw new Error('Firefox does not listen');
}

// Calls take(message) for each message of the browser.
function receive(socket, take) {
	let rest = Buffer.alloc(0);
	socket.on('data', bytes => {
		rest = Buffer.concat([rest, bytes]);
		for (let colon; (colon = rest.indexOf(':')) >= 0;) {
			const end = colon + 1 + +rest.toString('latin1', 0, colon);
			if (rest.length < end)
				break;
			take(JSON.parse(rest.toString('utf8', colon + 1, end)));
			rest = rest.subarray(end);
		}
	});
}

class Firefox {
	constructor(child, socket) {
		this.child = child;
		this.socket = socket;
		this.last = 0;
		this.waiting = new Map();
	}

	send(command, parameters = {}) {
		const id = ++this.last, text = Buffer.from(JSON.stringify([0, id, command, parameters]));
		this.socket.write(text.length + ':');
		this.socket.write(text);
		return new Promise((done, failed) => this.waiting.set(id, { done, failed, command }));
	}

	take(message) {
		if (!Array.isArray(message))
			return; // the greeting
		const [, id, error, result] = message, call = this.waiting.get(id);
		this.waiting.delete(id);
		if (error)
			call.failed(new Error(call.command + ': ' + error.message));
		else
			call.done(result);
	}

	go(url) { return this.send('WebDriver:Navigate', { url }); }

	// The value of f(...args) in the page.
	async run(f, ...args) {
		const script = 'return (' + f + ').apply(null, arguments)';
		return (await this.send('WebDriver:ExecuteScript', { script, args, sandbox: null })).value;
	}

	// The page gets this size; the window may not become as small.
	async resize(width, height) {
		await this.send('WebDriver:SetWindowRect', { width: Math.max(width, 600) + 100, height: height + 300 });
		await this.send('Marionette:SetContext', { value: 'chrome' });
		await this.send('WebDriver:ExecuteScript', { script: `
			const style = gBrowser.selectedBrowser.style;
			style.minWidth = style.maxWidth = arguments[0] + 'px';
			style.minHeight = style.maxHeight = arguments[1] + 'px';`, args: [width, height] });
		await this.send('Marionette:SetContext', { value: 'content' });
	}

	act(type, actions) {
		const source = { type, id: type, actions };
		if (type == 'pointer')
			source.parameters = { pointerType: 'mouse' };
		return this.send('WebDriver:PerformActions', { actions: [source] });
	}

	click(x, y, button = 0) {
		return this.act('pointer', [{ type: 'pointerMove', x: Math.round(x), y: Math.round(y), duration: 0 },
			{ type: 'pointerDown', button }, { type: 'pointerUp', button }]);
	}

	press(...keys) {
		return this.act('key', keys.flatMap(value => [{ type: 'keyDown', value }, { type: 'keyUp', value }]));
	}

	// The script errors of pages from this address on, as the console has them.
	async errors(url) {
		await this.send('Marionette:SetContext', { value: 'chrome' });
		const answer = await this.send('WebDriver:ExecuteScript', { args: [url], script:
			`return Services.console.getMessageArray().filter(m => m instanceof Ci.nsIScriptError && !(m.flags & m.warningFlag) &&
				m.sourceName.startsWith(arguments[0])).map(m => m.errorMessage + ' at ' + m.lineNumber);` });
		await this.send('Marionette:SetContext', { value: 'content' });
		return answer.value;
	}

	async screenshot(file) {
		const shot = await this.send('WebDriver:TakeScreenshot', { full: false });
		fs.writeFileSync(file, Buffer.from(shot.value, 'base64'));
	}

	async quit() {
		const gone = new Promise(done => this.child.once('exit', done));
		await this.send('Marionette:Quit', { flags: ['eForceQuit'] }).catch(() => {});
		await Promise.race([gone, wait(10000).then(() => this.child.kill('SIGKILL'))]);
		this.socket.destroy();
	}
}

// Starts a browser with an empty profile in the directory.
module.exports.start = async function (program, profile, preferences = {}) {
	fs.mkdirSync(profile, { recursive: true });
	fs.writeFileSync(path.join(profile, 'user.js'), Object.entries({ ...PREFERENCES, ...preferences })
		.map(([name, value]) => `user_pref(${JSON.stringify(name)}, ${JSON.stringify(value)});\n`).join(''));
	const child = spawn(program, ['--headless', '--no-remote', '--marionette', '--remote-allow-system-access', '--profile', profile, 'about:blank'],
		{ stdio: 'ignore', env: { ...process.env, HOME: profile, MOZ_REMOTE_SETTINGS_DEVTOOLS: '1' } });
	try {
		const socket = net.connect(await portOf(profile, child), '127.0.0.1');
		const browser = new Firefox(child, socket);
		receive(socket, message => browser.take(message));
		await new Promise((done, failed) => socket.once('connect', done).once('error', failed));
		await browser.send('WebDriver:NewSession', {});
		return browser;
	} catch (e) {
		child.kill('SIGKILL');
		throw e;
	}
};
