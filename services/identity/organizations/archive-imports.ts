import { type AuditRecord, auditBySystem } from '../../../shared/contract/audit.js';
import { conflict } from '../../../shared/errors/errors.js';
import { again } from '../../../shared/store/again.js';
import { type HasStore, type Write, write } from '../../../shared/store/port.js';
import type { ArchivedPerson, ImportedArchive } from '../contract/organizations.js';
import { users } from '../users/model.js';
import { newUser, readUsersByEmail } from '../users/users.js';
import { findIdByHostname } from './hostnames.js';
import { organizations } from './model.js';

/** Throws 409 where the organization of an archive is here already, unless it is from an import of the same archive that did not end. */
export async function checkImport(
  { store }: HasStore,
  { organization, archive, hostname }: ImportedArchive & { hostname?: string | undefined },
): Promise<void> {
  const known = await store.get(organizations, organization);
  if (known && known.importing === undefined)
    throw conflict(
      `Organization ${organization} ("${known.title}") is here already: an archive is imported once, into an installation without its organization`,
      'wrong_state',
    );
  if (known && known.importing !== archive)
    throw conflict(
      `An import of organization ${organization} from another archive did not end: run it again with that archive`,
      'wrong_state',
    );
  const holder = hostname === undefined ? undefined : await findIdByHostname(store, hostname);
  if (holder !== undefined && holder !== organization)
    throw conflict(
      `organization.ndjson: hostname: ${hostname} is taken here, by organization ${holder}: give that another one first`,
      'taken',
    );
}

/** Makes the accounts of people who have none, as of people who are invited. Returns the ids of accounts that differ from those given. */
export async function makePeople(
  { store }: HasStore,
  { people }: { people: ArchivedPerson[] },
): Promise<Record<string, string>> {
  return again(
    async () => {
      const byEmail = await readUsersByEmail(
        store,
        people.map(({ email }) => email.toLowerCase()),
      );
      const sameId = await store.getMany(
        users,
        people.map(({ user }) => user),
        { fields: [] },
      );
      const known = new Set(sameId.map(({ _id }) => _id));
      const missing = people.filter(({ user, email }) => !byEmail.has(email.toLowerCase()) && !known.has(user));
      const made = missing.map(({ user, email, displayName }) => ({
        ...newUser(email, { displayName, unproven: 'invited' }),
        _id: user,
      }));
      if (made.length > 0) await store.batch([write.insertMany(users, made)]);
      const idOf = ({ user, email }: ArchivedPerson) => byEmail.get(email.toLowerCase())?._id ?? user;
      return Object.fromEntries(
        people.flatMap((each) => (idOf(each) === each.user ? [] : [[each.user, idOf(each)] as const])),
      );
    },
    { duplicates: true },
  );
}

/** Makes an imported organization one as any other. Again, it changes nothing. */
export async function endImport(
  { store, auditWrite, callersChanged }: HasStore & EndWrites,
  { organization, archive }: ImportedArchive,
): Promise<void> {
  const known = await store.get(organizations, organization, { fields: ['importing'] });
  if (known?.importing !== archive) return;
  const audit = auditBySystem(auditWrite, { operation: 'importArchive', organization });
  await store.batch([
    write.update(organizations, { _id: organization }, { $unset: { importing: true } }, { expect: 1 }),
    audit('organization', organization, { details: { archive } }),
    callersChanged(),
  ]);
}

interface EndWrites {
  auditWrite: (record: AuditRecord) => Write;
  callersChanged: () => Write;
}
