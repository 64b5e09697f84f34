/** What stands around each script: it reads the event and the environment, and has a function for each type of event. */
const scriptOf = (handlers: string) => `
const json = (value, init) => Response.json(value, init);
const handlers = { ${handlers} };
export default {
  async fetch(request) {
    const form = await request.formData();
    const event = JSON.parse(form.get('event'));
    const environment = JSON.parse(form.get('environment'));
    const part = form.get('fetch-body');
    const body = part === null ? null : new Uint8Array(typeof part === 'string' ? new TextEncoder().encode(part) : await part.arrayBuffer());
    const handle = handlers[event.type];
    return handle ? handle(event, environment, body) : json({ error: 'not handled' }, { status: 406 });
  },
};`;

/** Answers requests by the last segment of their path. */
export const endpointScript = scriptOf(`
  async fetch(event, environment, body) {
    const { method, url, headers } = event.request;
    switch (new URL(url).pathname.split('/').pop()) {
      case 'echo':
        return json({
          method, url, headers, body: body && [body.length, body[0], body.at(-1)],
          event: { installationId: event.installationId, spaceId: event.spaceId, siteId: event.siteId },
          secret: environment.secrets.KEY,
          configuration: environment.installation?.configuration,
        }, { status: 201, headers: { 'x-own': 'yes' } });
      case 'page':
        return new Response('<script>alert(origin)</script>', {
          headers: [
            ['content-type', 'text/html'],
            ['set-cookie', 'mine=1; Path=/; Domain=example.com'],
            ['set-cookie', 'saml=stolen'],
            ['set-cookie', 'bindery_session=bns_stolen; Path=/'],
            ['content-security-policy', "img-src 'none'"],
            ['strict-transport-security', 'max-age=1'],
            ['clear-site-data', '"*"'],
            ['service-worker-allowed', '/'],
            ['x-accel-redirect', '/etc/passwd'],
            ['x-content-type-options', 'none'],
            ['x-frame-options', 'SAMEORIGIN'],
            ['nel', '{}'],
          ],
        });
      case 'cors':
        return new Response(null, { status: 204, headers: { 'access-control-allow-origin': 'https://a.example', 'access-control-allow-methods': 'PUT' } });
      case 'away':
        return Response.redirect('https://login.example.com/?next=1', 302);
      case 'failing':
        return json({ error: 'of the script' }, { status: 503 });
      case 'thrower':
        throw new Error('a secret of the script');
      case 'large':
        return new Response(new Uint8Array(6 * 1024 * 1024));
      case 'megabytes':
        return new Response(new Uint8Array(4 * 1024 * 1024).fill(7));
      case 'held':
        return json({ told: await (await fetch(new URL(url).searchParams.get('until'))).text() });
      case 'never':
        await new Promise(() => setTimeout(() => {}, 60_000));
      case 'empty':
        return new Response(null, { status: 204 });
      default:
        return json({ error: 'no such path' }, { status: 404 });
    }
  },
  fetch_published_script(event, environment) {
    if (environment.installation.configuration.script === 'none') return json({ error: 'not handled' }, { status: 400 });
    if (environment.installation.configuration.script === 'failing') throw new Error('of the script');
    return new Response('console.log(' + JSON.stringify([event.type, event.spaceId, event.siteId]) + ')', {
      headers: { 'content-type': 'text/html', 'cache-control': 'public, max-age=60, no-transform', 'set-cookie': 'a=1' },
    });
  },
`);

/** Renders components by their id. */
export const renderingScript = scriptOf(`
  ui_render(event, environment) {
    const element = { type: 'block', children: [{ type: 'text', children: [event.componentId] }] };
    const shown = { type: 'element', element, state: event.state ?? { count: 0 }, props: event.props };
    switch (event.componentId) {
      case 'shown':
        return json(shown, { headers: { 'cache-control': 'public, max-age=300, x-unknown=1' } });
      case 'event':
        return json({ ...shown, props: { ...event, status: environment.installation.status } });
      case 'complete':
        return json({ type: 'complete', returnValue: { action: event.action } });
      case 'refusing':
        return json({ error: 'the token is missing' }, { status: 400 });
      case 'failing':
        return json({ error: 'inside' }, { status: 502 });
      case 'thrower':
        throw new Error('a secret of the script');
      case 'text':
        return new Response('<p>Hello</p>', { headers: { 'content-type': 'text/html' } });
      case 'shapeless':
        return json({ type: 'element', element: 'text' });
      case 'large':
        return json({ ...shown, props: { text: 'x'.repeat(2 * 1024 * 1024) } });
      case 'deep':
        return new Response('{"type":"complete","returnValue":' + '['.repeat(100_000) + ']'.repeat(100_000) + '}');
      case 'never':
        return new Promise(() => setTimeout(() => {}, 60_000));
      default:
        return json({ error: 'Component ' + event.componentId + ' not found' }, { status: 404 });
    }
  },
`);

/** Sends visitors to an identity provider, and signs their JWT when they come back from it. */
export const visitorAuthScript = scriptOf(`
  fetch_visitor_authentication(event, environment) {
    const back = new URL(environment.siteInstallation.urls.publicEndpoint + '/callback');
    const login = new URL('https://login.example.com/authorize');
    login.searchParams.set('redirect_uri', back.href);
    login.searchParams.set('state', event.location ?? '/');
    return new Response(null, { status: 302, headers: { location: login.href } });
  },
  async fetch(event, environment) {
    const url = new URL(event.request.url);
    const encoded = (value) => btoa(typeof value === 'string' ? value : JSON.stringify(value))
      .replace(/\\+/g, '-').replace(/\\//g, '_').replace(/=+$/, '');
    const unsigned = encoded({ alg: 'HS256', typ: 'JWT' }) + '.' + encoded({ plan: 'pro', exp: Math.floor(Date.now() / 1000) + 600 });
    const text = (value) => new TextEncoder().encode(value);
    const key = await crypto.subtle.importKey(
      'raw', text(environment.signingSecrets.siteInstallation), { name: 'HMAC', hash: 'SHA-256' }, false, ['sign']);
    const signature = new Uint8Array(await crypto.subtle.sign('HMAC', key, text(unsigned)));
    const target = new URL('https://docs.example.com' + url.searchParams.get('state'));
    target.searchParams.set('jwt_token', unsigned + '.' + encoded(String.fromCharCode(...signature)));
    return new Response(null, { status: 302, headers: { location: target.href } });
  },
`);
