import { h } from 'preact';
import type { Assets } from '../../../shared/assets/open-assets.js';
import { system } from '../../../shared/contract/caller.js';
import type { Call } from '../../../shared/contract/service.js';
import { apiError } from '../../../shared/errors/errors.js';
import { createLog } from '../../../shared/monitoring/log.js';
import type { FoundSession } from '../../identity/contract.js';
import type { AppRequest } from '../contract.js';
import { SignIns } from '../sessions/sign-ins.js';
import { App } from './app.js';
import { screen, type View } from './screen.js';
import type { OpenRoute } from './visit.js';

const noFile = { path: 'app.css', contentType: 'text/css', bytes: Buffer.alloc(0), hash: '' };
const assets: Assets = { css: noFile, scripts: {}, preload: [], font: () => null };
const unavailable: Call = async () => {
  throw apiError('UNAVAILABLE', 'identity does not answer');
};

/** An app of one screen for members, and others for everybody. */
const newApp = (
  calls: { identity: Call; others: Call },
  show: () => Promise<View>,
  { log = createLog('silent'), open = [] as OpenRoute[] } = {},
) =>
  new App(
    {
      config: { baseUrl: 'http://docs.example' },
      log,
      assets,
      signIns: new SignIns(() => calls.identity),
      callAs: () => calls.others,
      formKey: Buffer.alloc(32),
    },
    { routes: [screen({ path: '/account', show })], open },
  );

const view: View = { title: 'Account', main: h('p', {}) };

const asked: AppRequest = {
  method: 'GET',
  url: 'http://docs.example/app/account',
  headers: { cookie: `bindery_session=bns_${'a'.repeat(43)}` },
  network: '192.0.2.1',
  requestId: 'r',
};

it('a fault is logged with its screen and the request, which people are told, but not with the address', async () => {
  const lines: string[] = [];
  const log = createLog('info', { write: (line) => lines.push(line) });
  const path = '/join/{organization}/{invite}';
  const open: OpenRoute[] = [{ path, show: () => Promise.reject(new Error('a fault')) }];
  const app = newApp({ identity: unavailable, others: unavailable }, async () => view, { log, open });
  const url = 'http://docs.example/app/join/o1/hush-hush';
  const { status, body } = await app.answer({ ...asked, url, headers: {} });
  expect([status, lines.length]).toEqual([500, 1]);
  expect(body).toContain(`Request ${asked.requestId}`);
  expect(lines.join('')).not.toContain('hush-hush');
  expect(JSON.parse(lines.join(''))).toMatchObject({ route: path, requestId: asked.requestId });
});

describe('while it is not known who asks', () => {
  const app = newApp({ identity: unavailable, others: unavailable }, async () => view);
  const ask = (headers: Record<string, string> = {}, method: AppRequest['method'] = 'GET') =>
    app.answer({ ...asked, method, headers: { ...asked.headers, ...headers } });

  it('a browser is shown a screen that says so, in its language', async () => {
    const { status, headers, body } = await ask({ 'accept-language': 'de' });
    expect([status, headers['Content-Type']]).toEqual([503, 'text/html; charset=utf-8']);
    expect(body).toContain('<html lang="de"');
    expect(body).not.toContain('identity does not answer');
    expect(JSON.stringify(headers['Set-Cookie'] ?? '')).not.toContain('bindery_session');
  });

  it('a script is told so in JSON', async () => {
    const { status, body = '' } = await ask({ 'x-form-token': 'token' }, 'POST');
    expect([status, JSON.parse(body).error.code]).toEqual([503, 503]);
  });
});

describe('the number of notifications', () => {
  const session = { isProlonged: false, user: { displayName: 'Ada' }, caller: system } as FoundSession;
  const identity = (async () => session) as Call;
  const bell = (count: number) => `aria-label="${count} `;

  it('is counted while the screen is made', async () => {
    let begin = () => {};
    const begun = new Promise<void>((resolve) => {
      begin = resolve;
    });
    const count = (async () => {
      begin();
      return 3;
    }) as Call;
    const { body } = await newApp({ identity, others: count }, async () => begun.then(() => view)).answer(asked);
    expect(body).toContain(bell(3));
  });

  it.each<[string, Call]>([
    ['cannot be counted', unavailable],
    ['is not counted in time', (() => new Promise(() => {})) as Call],
  ])('is left out where it %s', async (_, others) => {
    const { status, body } = await newApp({ identity, others }, async () => view).answer(asked);
    expect([status, body?.includes('bell-count')]).toEqual([200, false]);
  });
});
