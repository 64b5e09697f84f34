/** The page that a sign-in mail links to. All its addresses are relative, so that it also works below a base path. */
export const signInPage = (nonce: string): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>Sign in to Bindery</title>
<link rel="stylesheet" href="sign-in/page.css" nonce="${nonce}">
<script src="sign-in/page.js" nonce="${nonce}" defer></script>
</head>
<body>
<main>
<h1>Sign in to Bindery</h1>
<noscript><p>This page needs JavaScript. Without it, send <code>POST /v1/sign-in/{code}</code> yourself: the code follows
<code>#code=</code> in the link of the mail.</p></noscript>
<form id="redeem" hidden>
<p>Your link is good for one API token, valid for 90 days.</p>
<label for="label">Name of the token</label>
<input id="label" maxlength="50" required value="Sign-in by mail">
<button type="submit">Sign in</button>
</form>
<section id="signed-in" aria-labelledby="signed-in-title" hidden>
<h2 id="signed-in-title" tabindex="-1">You are signed in</h2>
<p>This is your API token. It is shown only once: keep it like a password.</p>
<label for="token">API token</label>
<input id="token" readonly autocomplete="off" spellcheck="false">
<button type="button" id="copy">Copy</button>
<p>It is valid until <time id="expires"></time>. Send it as <code>Authorization: Bearer …</code></p>
</section>
<form id="ask" hidden>
<p>We mail you a link to sign in with.</p>
<label for="email">E-mail address</label>
<input id="email" type="email" maxlength="254" autocomplete="email" required>
<button type="submit">Send me a link</button>
</form>
<p id="status" role="status"></p>
</main>
</body>
</html>
`;

export const signInStyle = `body { margin: 0; font: 1rem/1.5 system-ui, sans-serif; color: #1a1a1a; background: #fff; }
main { max-width: 34rem; margin: 10vh auto; padding: 0 1.5rem; }
label { display: block; font-weight: 600; }
input { box-sizing: border-box; width: 100%; padding: 0.5rem; font: inherit; border: 1px solid #6b6b6b; border-radius: 4px; }
#token { font-family: ui-monospace, monospace; }
button { margin: 0.75rem 0; padding: 0.5rem 1rem; font: inherit; color: #fff; background: #1f5fbf; border: 0; border-radius: 4px; cursor: pointer; }
button:disabled { background: #6b6b6b; cursor: default; }
:focus-visible { outline: 3px solid #e8a100; outline-offset: 2px; }
[hidden] { display: none; }
@media (prefers-color-scheme: dark) {
  body { color: #eee; background: #16181c; }
  input { color: inherit; background: #22252b; }
}
`;

/** Uses the code only when a person presses the button, not when a mail scanner opens the page. */
export const signInScript = `'use strict';
const at = (id) => document.getElementById(id);
const shown = ['redeem', 'signed-in', 'ask'];
let code = '';

function show(id) {
  for (const other of shown) at(other).hidden = other !== id;
}

const tell = (text) => {
  at('status').textContent = text;
};

function readLink() {
  const given = new URLSearchParams(location.hash.slice(1)).get('code');
  if (given) {
    code = given;
    history.replaceState(null, '', location.pathname);
    tell('');
  }
  show(code ? 'redeem' : 'ask');
}

async function post(path, body) {
  const response = await fetch(path, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
    credentials: 'omit',
  });
  const text = await response.text();
  const answer = text ? JSON.parse(text) : null;
  if (response.ok) return answer;
  const refusal = new Error(answer?.error?.message ?? 'Something went wrong');
  refusal.status = response.status;
  throw refusal;
}

/** Runs the action of a form, one run at a time. */
function onSubmit(id, run) {
  const form = at(id);
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    const button = form.querySelector('button');
    button.disabled = true;
    tell('One moment …');
    try {
      await run();
    } catch (error) {
      tell(error.status ? error.message : 'The server did not answer. Try again.');
    } finally {
      button.disabled = false;
    }
  });
}

onSubmit('redeem', async () => {
  try {
    const answer = await post('v1/sign-in/' + encodeURIComponent(code), { label: at('label').value });
    at('token').value = answer.token;
    at('expires').dateTime = answer.expiresAt;
    at('expires').textContent = new Date(answer.expiresAt).toLocaleDateString();
    code = '';
    tell('');
    show('signed-in');
    at('signed-in-title').focus();
  } catch (error) {
    if (error.status !== 404) throw error;
    code = '';
    show('ask');
    at('email').focus();
    throw error;
  }
});

onSubmit('ask', async () => {
  await post('v1/sign-in', { email: at('email').value.trim() });
  tell('If this address has an account, a mail is on its way. Its link works for 15 minutes.');
});

at('copy').addEventListener('click', async () => {
  at('token').select();
  try {
    await navigator.clipboard.writeText(at('token').value);
    tell('Copied.');
  } catch {
    tell(document.execCommand('copy') ? 'Copied.' : 'Press Ctrl+C (or ⌘C) to copy.');
  }
});

addEventListener('hashchange', readLink);
readLink();
`;

export const signInPolicy = (nonce: string): string =>
  `default-src 'none'; script-src 'nonce-${nonce}'; style-src 'nonce-${nonce}'; connect-src 'self'; form-action 'none'; base-uri 'none'; frame-ancestors 'none'`;
