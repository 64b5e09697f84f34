import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Jobs, jobCollections } from '../../../shared/jobs/jobs.js';
import { createLog } from '../../../shared/monitoring/log.js';
import { openMail } from '../../../shared/outbound/mail.js';
import { freePort } from '../../../shared/process/free-port.js';
import { createSecrets } from '../../../shared/secrets/secrets.js';
import { readConfig } from '../../../shared/settings/config.js';
import { type Store, singleWrites, type Write, write } from '../../../shared/store/port.js';
import { openSqliteStore } from '../../../shared/store/sqlite/store.js';
import { eventually } from '../../../shared/testing/eventually.js';
import { codeIn, type Mailbox, openMailbox } from '../../../shared/testing/mailbox.js';
import { withoutWaiting } from '../../../shared/testing/still-clock.js';
import { newId, newSecret, sha256, timestamp } from '../../../shared/values/ids.js';
import { apiTokens } from '../accounts/model.js';
import { auditWrite } from '../audit/audit-records.js';
import { auditCollections } from '../audit/model.js';
import { organizationCollections } from '../organizations/model.js';
import { type UserDocument, users } from '../users/model.js';
import { inviteMailWrites, type LinkDependencies, requestLink, sendLink, signIn, sweepSignIns } from './links.js';
import { sendLinkMailJob } from './mail-job.js';
import { signInCollections, signInMails, signIns } from './model.js';

const dayMs = 24 * 3_600_000;
const ago = (ms: number) => timestamp(new Date(Date.now() - ms));
const noLink = { type: 'NOT_FOUND', message: expect.stringContaining('unknown, used or expired') };

const noHint = () => write.check(users, { _id: 'nobody' }, 0);

const network = '192.0.2.1';

let folder: string;
let store: Store;
let box: Mailbox;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'bindery-sign-in-'));
  store = await openSqliteStore({ path: join(folder, 'sign-in.sqlite') });
  await store.prepare([
    ...signInCollections,
    ...organizationCollections,
    ...auditCollections,
    users,
    apiTokens,
  ] as never[]);
  box = await openMailbox();
});
afterAll(async () => {
  await box.close();
  await store.close();
  await rm(folder, { recursive: true });
});

const started: Jobs[] = [];
afterEach(async () => {
  box.refuse = () => undefined;
  box.holds = Promise.resolve();
  await Promise.all(started.splice(0).map((jobs) => jobs.stop()));
});

let services = 0;
interface Setting {
  service?: string;
  smtpUrl?: string;
  failed?: () => void;
}

/** Opens the dependencies of sign-in with jobs of their own, as identity does. */
async function signingIn({ service = `s${services++}`, smtpUrl = box.url, failed }: Setting = {}) {
  const { jobs: collected, locks } = jobCollections(service);
  await store.prepare([collected, locks] as never[]);
  const backoff = () => {
    failed?.();
    return 100;
  };
  const log = createLog('silent');
  const jobs = new Jobs({ store, service, log, exclusive: true, pollMs: 10, backoff });
  const mail = openMail(readConfig({ SMTP_URL: smtpUrl }));
  const deps: LinkDependencies = {
    store,
    mail,
    jobs,
    secrets: createSecrets([key]),
    baseUrl: 'https://docs.example',
    log,
  };
  jobs.register(sendLinkMailJob(deps));
  await jobs.start();
  started.push(jobs);
  const all = async () => (await store.page(collected, { filter: {}, sort: { createdAt: 1 }, limit: 100 })).items;
  return { deps, jobs, service, all };
}
const key = Buffer.alloc(32, 7).toString('base64');

async function newPerson(): Promise<UserDocument> {
  const _id = newId();
  const email = `Ada-${_id}@example.com`;
  const user = { _id, displayName: 'Ada', email, emailLower: email.toLowerCase(), createdAt: timestamp() };
  await store.insert(users, user);
  return user;
}

async function linkOf({ deps }: Awaited<ReturnType<typeof signingIn>>, { email }: UserDocument): Promise<string> {
  await requestLink(deps, { email, network });
  return codeIn(await box.mailTo(email));
}

/** Signs in with the code of a link. */
const use = ({ deps }: Awaited<ReturnType<typeof signingIn>>, code: string, label: string) =>
  signIn({ ...deps, auditWrite, callersChanged: noHint }, { code, label, requestId: 'request', network });

describe('a requested link', () => {
  it('gives one token of 90 days, once', async () => {
    const setting = await signingIn();
    const user = await newPerson();
    await requestLink(setting.deps, { email: user.email.toUpperCase(), network });
    const mail = await box.mailTo(user.email);
    expect(mail.text).toContain('https://docs.example/app/sign-in?code=');
    expect(mail.html).toContain(`href="https://docs.example/app/sign-in?code=${codeIn(mail)}"`);
    expect(mail.text).toContain('for 15 minutes');
    const token = await use(setting, codeIn(mail), 'Laptop');
    expect(token).toMatchObject({
      object: 'api-token',
      label: 'Laptop',
      token: expect.stringMatching(/^bnd_[\w-]{43}$/),
    });
    expect(Date.parse(String(token.expiresAt)) - Date.now()).toBeCloseTo(90 * dayMs, -5);
    expect(await store.findOne(apiTokens, { hash: sha256(token.token) })).toMatchObject({
      _id: token.id,
      user: user._id,
    });
    await expect(use(setting, codeIn(mail), 'Again')).rejects.toMatchObject(noLink);
  });

  it('has one winner when many use it at once', async () => {
    const setting = await signingIn();
    const user = await newPerson();
    const code = await linkOf(setting, user);
    const tries = await Promise.allSettled(Array.from({ length: 64 }, () => use(setting, code, 'Race')));
    expect(tries.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    for (const one of tries) if (one.status === 'rejected') expect(one.reason).toMatchObject(noLink);
    expect(await store.count(apiTokens, { user: user._id })).toBe(1);
  });

  it('expires, and is deleted after that', async () => {
    const setting = await signingIn();
    const [late, early] = [await newPerson(), await newPerson()];
    const code = await linkOf(setting, late);
    const other = await linkOf(setting, early);
    await store.update(signIns, { _id: sha256(code) }, { $set: { expiresAt: ago(1) } });
    await store.update(signInMails, { _id: late._id }, { $set: { lastAt: ago(3_600_001) } });
    await expect(use(setting, code, 'Late')).rejects.toMatchObject(noLink);
    await sweepSignIns(store);
    expect(await store.get(signIns, sha256(code))).toBeNull();
    expect(await store.get(signInMails, late._id)).toBeNull();
    expect(await store.get(signInMails, early._id)).not.toBeNull();
    expect((await use(setting, other, 'Early')).label).toBe('Early');
  });

  it('is a 404 when it was never sent', async () => {
    const setting = await signingIn();
    for (const code of ['x', newSecret(), 'ü'.repeat(100)])
      await expect(use(setting, code, 'Guess')).rejects.toMatchObject(noLink);
  });

  it('is stored as a hash, and encrypted in its job', async () => {
    const setting = await signingIn();
    const user = await newPerson();
    const code = await linkOf(setting, user);
    expect(await store.get(signIns, sha256(code))).toMatchObject({ user: user._id });
    const files = (await readdir(folder)).map((name) => readFile(join(folder, name)));
    const bytes = Buffer.concat(await Promise.all(files));
    expect(bytes.includes(sha256(code))).toBe(true);
    expect(bytes.includes(code)).toBe(false);
  });
});

describe('a request for a link', () => {
  it('is answered alike for an address without an account, and leaves nothing behind', async () => {
    const setting = await signingIn();
    /** The answer comes a quarter of a second after the request, so after what is due a little sooner. */
    const ask = async (email: string) => {
      const soon = new Promise((resolve) => setTimeout(resolve, 240, 'nothing yet'));
      const answer = requestLink(setting.deps, { email, network });
      expect(await Promise.race([answer, soon])).toBe('nothing yet');
      expect(await answer).toBeUndefined();
    };
    const user = await newPerson();
    const counts = () => Promise.all([store.count(signIns, {}), store.count(signInMails, {})]);
    const before = await counts();
    await ask('nobody@example.com');
    expect([await counts(), await setting.all()]).toEqual([before, []]);
    await ask(user.email);
    await eventually('the job', setting.all, ({ length }) => length === 1);
  });

  it('is answered alike where the link cannot be stored, or not soon', async () => {
    const { deps, all } = await signingIn();
    const user = await newPerson();
    let go = () => {};
    const held = new Promise<void>((release) => (go = release));
    const holding = (after: () => Promise<void>): Store =>
      new Proxy(store, {
        get: (target, name: keyof Store) =>
          name === 'batch' ? (writes: Write[]) => after().then(() => store.batch(writes)) : target[name].bind(target),
      });
    await requestLink({ ...deps, store: holding(() => held) }, { email: user.email, network });
    expect(await all()).toEqual([]);
    go();
    await eventually('the job', all, ({ length }) => length === 1);
    const full = holding(() => Promise.reject(new Error('the disk is full')));
    await requestLink({ ...deps, store: full }, { email: user.email, network });
    expect(await all()).toHaveLength(1);
  });

  it('sends at most five mails per hour to an address for one network, however many requests come at once', async () => {
    const setting = await signingIn();
    const user = await newPerson();
    const ask = (times: number) =>
      Promise.all(Array.from({ length: times }, () => sendLink(setting.deps, { user: user._id, network })));
    await ask(21);
    expect(await setting.all()).toHaveLength(5);
    const { requested = [] } = (await store.get(signInMails, user._id)) ?? {};
    const earlier = { at: ago(3_600_001), from: String(requested[0]?.from) };
    await store.update(signInMails, { _id: user._id }, { $set: { requested: [earlier, ...requested.slice(1)] } });
    await ask(3);
    expect(await setting.all()).toHaveLength(6);
  });

  it('from strangers, of however many networks, leaves the mails of a network that the user knows', async () => {
    const setting = await signingIn();
    const user = await newPerson();
    await use(setting, await linkOf(setting, user), 'Home');
    const ask = (from: string) => sendLink(setting.deps, { user: user._id, network: from });
    for (let wave = 0; wave < 4; wave++)
      await Promise.all(Array.from({ length: 10 }, (_, host) => ask(`198.51.${wave}.${host}`)));
    expect(await setting.all()).toHaveLength(1 + 20);
    for (let times = 0; times < 6; times++) await ask(network);
    expect(await setting.all()).toHaveLength(25);
  });

  it('is refused where mail is not configured', async () => {
    const setting = await signingIn({ smtpUrl: '' });
    await expect(requestLink(setting.deps, { email: 'ada@example.com', network })).rejects.toMatchObject({
      type: 'PRECONDITION_FAILED',
    });
  });
});

describe('the mail of an invite', () => {
  it('names the organization and brings a link of seven days', async () => {
    const setting = await signingIn();
    const [ada, bob] = [await newPerson(), await newPerson()];
    await store.batch(
      inviteMailWrites(setting.deps, {
        invitation: { id: 'org', organization: 'Analytical Engines', inviter: 'Charles' },
        users: [ada, bob],
      }),
    );
    setting.jobs.claimNow();
    const [first, second] = [await box.mailTo(ada.email), await box.mailTo(bob.email)];
    expect(first.subject).toBe('You are invited to Analytical Engines');
    expect(first.text).toContain('Charles invited you to Analytical Engines');
    expect(codeIn(first)).not.toBe(codeIn(second));
    const { expiresAt } = (await store.get(signIns, sha256(codeIn(first)))) ?? { expiresAt: '' };
    expect(Date.parse(expiresAt) - Date.now()).toBeCloseTo(7 * dayMs, -5);
    await use(setting, codeIn(second), 'Bob');
    expect(await store.count(apiTokens, { user: bob._id })).toBe(1);
  });
});

describe('sending', () => {
  it('goes on when the mail server comes back', async () => {
    const port = await freePort();
    let failures = 0;
    let fail = () => {};
    const once = new Promise<void>((resolve) => {
      fail = () => {
        failures++;
        resolve();
      };
    });
    const setting = await signingIn({ smtpUrl: `smtp://127.0.0.1:${port}`, failed: () => fail() });
    const user = await newPerson();
    await requestLink(setting.deps, { email: user.email, network });
    await once;
    const back = await openMailbox({ port });
    try {
      const mail = await back.mailTo(user.email);
      expect((await use(setting, codeIn(mail), 'Late')).label).toBe('Late');
      expect(failures).toBeGreaterThan(0);
    } finally {
      await back.close();
    }
  });

  it('gives up at once on an address that the server refuses, and after five attempts on one it puts off', async () => {
    const setting = await signingIn();
    const [refused, deferred] = [await newPerson(), await newPerson()];
    box.refuse = (address) =>
      address === refused.email
        ? { message: 'no such user', responseCode: 550 }
        : { message: 'try again later', responseCode: 451 };
    await store.batch(
      inviteMailWrites(setting.deps, {
        invitation: { id: 'org', organization: 'Org', inviter: 'Charles' },
        users: [refused, deferred],
      }),
    );
    setting.jobs.claimNow();
    const jobs = await eventually('the end of both jobs', setting.all, (all) =>
      all.every(({ state }) => state === 'failed'),
    );
    expect(jobs.map(({ attempts }) => attempts)).toEqual([1, 5]);
  });

  it('does not send a link that was used or has expired', async () => {
    const setting = await signingIn();
    const user = await newPerson();
    const writes = inviteMailWrites(setting.deps, {
      invitation: { id: 'org', organization: 'Org', inviter: 'Charles' },
      users: [user],
    });
    await store.batch(singleWrites(writes).filter((one) => one.collection.name !== signIns.name));
    setting.jobs.claimNow();
    await eventually('the end of the job', setting.all, ([job]) => job?.state === 'done');
    expect(box.received.filter(({ to }) => to.includes(user.email))).toEqual([]);
  });

  it('does not hold up a process that stops, whose mail goes out at the next start', async () => {
    const setting = await signingIn();
    const user = await newPerson();
    let release = () => {};
    box.holds = new Promise((resolve) => {
      release = resolve;
    });
    await requestLink(setting.deps, { email: user.email, network });
    const first = await box.mailTo(user.email);
    await withoutWaiting(() => setting.jobs.stop());
    expect(await setting.all()).toMatchObject([{ state: 'queued', attempts: 0 }]);
    release();
    await signingIn({ service: setting.service });
    const second = await box.mailTo(user.email);
    expect(second.headers['message-id']).toBe(first.headers['message-id']);
  });
});
