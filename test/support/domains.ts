import { eventually } from '../../shared/testing/eventually.js';
import type { Records } from './name-server.js';
import type { Client } from './server.js';

/** Sets the TXT records of a name on the name server that the servers of the tests ask. */
export async function setRecords(name: string, records: Records): Promise<void> {
  const { status } = await fetch(`${process.env.BINDERY_TEST_DNS_CONTROL}/${name}`, {
    method: 'PUT',
    body: JSON.stringify(records),
  });
  if (status !== 200) throw new Error(`the name server answered ${status}`);
}

/** Sends the answer that the name server holds. */
export async function releaseAnswer(name: string): Promise<void> {
  await fetch(`${process.env.BINDERY_TEST_DNS_CONTROL}/${name}`, { method: 'POST' });
}

/** How often the name server was asked for a name. */
export async function timesAsked(name: string): Promise<number> {
  return Number(await (await fetch(`${process.env.BINDERY_TEST_DNS_CONTROL}/${name}`)).text());
}

/** A domain of an organization, as one of its admins sees it after a lookup that began now or later. */
export async function checkedDomain(admin: Client, organization: string, domain: string): Promise<any> {
  const path = `/v1/orgs/${organization}/domains/${domain}`;
  const asked = new Date().toISOString();
  // A domain that was just looked up is not looked up again.
  const { body } = await eventually(
    `a lookup of ${domain}`,
    () => admin.post(`${path}/check`),
    ({ status, body: { checkedAt } }) => status === 200 && (!checkedAt || checkedAt > asked),
  );
  return body;
}

/** Proves a domain for an organization, as its admin does: sets the record, and has it checked. */
export async function proveDomain(admin: Client, organization: string, domain: string): Promise<void> {
  const { record, status } = (await admin.get(`/v1/orgs/${organization}/domains/${domain}`)).body;
  if (status === 'proven') return;
  await setRecords(record.name, [record.value]);
  await eventually(
    `the proof of ${domain}`,
    () => checkedDomain(admin, organization, domain),
    (checked) => checked.status === 'proven',
  );
}
