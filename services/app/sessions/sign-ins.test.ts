import type { Call } from '../../../shared/contract/service.js';
import type { FoundSession } from '../../identity/contract.js';
import { SignIns } from './sign-ins.js';

const secret = `bns_${'a'.repeat(43)}`;
const sessionIn = (role: string) => ({ caller: { memberships: { o: { role } } } }) as unknown as FoundSession;

/** Sign-ins of one browser, whose session identity answers as it is now. */
function newSignIns() {
  const stored: { session: FoundSession | null } = { session: sessionIn('edit') };
  const signIns = new SignIns(() => (async () => stored.session) as Call);
  const read = () => signIns.sessionOf(secret, { fresh: false });
  const change = () => signIns.sessionOf(secret, { fresh: true });
  return { stored, signIns, read, change };
}

describe('the session of a browser', () => {
  it('is asked anew for a change, even where it is kept', async () => {
    const { stored, read, change } = newSignIns();
    await read();
    stored.session = sessionIn('read');
    expect(await read()).toEqual(sessionIn('edit'));
    expect(await change()).toEqual(sessionIn('read'));
    stored.session = null;
    expect(await change()).toBeUndefined();
  });

  it('is asked anew once callers changed', async () => {
    const { stored, signIns, read } = newSignIns();
    await read();
    stored.session = null;
    signIns.forget();
    expect(await read()).toBeUndefined();
  });

  it('is asked about for nothing else', async () => {
    const { signIns } = newSignIns();
    for (const other of ['', 'bnd_token', 'bns_', `bns_${'a'.repeat(101)}`])
      expect(await signIns.sessionOf(other, { fresh: true })).toBeUndefined();
  });
});
