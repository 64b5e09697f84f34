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

/** How often the name server was asked for a name. */
export async function timesAsked(name: string): Promise<number> {
  return Number(await (await fetch(`${process.env.BINDERY_TEST_DNS_CONTROL}/${name}`)).text());
}

/** A domain of an organization, as one of its admins sees it after a lookup that began now or later. */
export async function checkedDomain(admin: Client, organization: string, domain: string): Promise<any> {
  const path = `/v1/orgs/${organization}/domains/${domain}`;
  const asked = new Date().toISOString();
  for (const deadline = Date.now() + 20_000; ; await new Promise((resolve) => setTimeout(resolve, 200))) {
    const { status, body } = await admin.post(`${path}/check`);
    // A domain that was just looked up is not looked up again.
    if (status === 200 && (body.checkedAt > asked || !body.checkedAt)) return body;
    if (Date.now() > deadline) throw new Error(`${status} ${JSON.stringify(body)}`);
  }
}

/** Proves a domain for an organization, as its admin does: sets the record, and has it checked. */
export async function proveDomain(admin: Client, organization: string, domain: string): Promise<void> {
  const { record, status } = (await admin.get(`/v1/orgs/${organization}/domains/${domain}`)).body;
  if (status === 'proven') return;
  await setRecords(record.name, [record.value]);
  // On a busy machine the name server of the tests may answer too late.
  for (let tries = 0; tries < 3; tries++)
    if ((await checkedDomain(admin, organization, domain)).status === 'proven') return;
  throw new Error(`${domain} is not proven`);
}
