import { signedIn } from '../support/app-browser.js';
import { newOrganization, newSpace, newUser, shared } from '../support/fixtures.js';
import { startServer } from '../support/server.js';

/** The addresses of the PDFs of a new space and of a change request of it. */
async function newPdfs(client: ReturnType<typeof shared>): Promise<string[]> {
  const space = await newSpace(client, await newOrganization(client), { editMode: 'live' });
  const changes = [{ operation: 'insert_page', document: { markdown: '# Home\n' } }];
  await client.post(`/v1/spaces/${space}/content`, { changes });
  const { body } = await client.post<any>(`/v1/spaces/${space}/change-requests`, {});
  return [`/v1/spaces/${space}/pdf`, `/v1/spaces/${space}/change-requests/${body.number}/pdf`];
}

/** Whether the settings of a new space, in the app, lead to its PDF. */
async function offersPdf(server: ReturnType<typeof shared>): Promise<boolean> {
  const space = await newSpace(server, await newOrganization(server));
  const browser = await signedIn(server, server.token);
  const settings = await browser.open(`/app/s/${space}/~/settings`);
  return settings.links().includes(`/app/s/${space}/~/pdf`);
}

const client = shared();
let pdfs: string[];
beforeAll(async () => {
  pdfs = await newPdfs(client);
});

it('without a browser that makes PDFs, none are offered, and their addresses are refused with the setting that is missing', async () => {
  const server = await startServer();
  try {
    for (const path of await newPdfs(server)) {
      const { status, body } = await server.get<any>(path);
      expect([status, body.error.reason]).toEqual([412, 'precondition_failed']);
      expect(body.error.message).toContain('PDF_BROWSER');
    }
    expect(await offersPdf(server)).toBe(false);
  } finally {
    await server.stop();
  }
});

it('with one, the settings of a space offer its PDF', async () => {
  expect(await offersPdf(client)).toBe(true);
});

it('addresses of PDFs are for those who may view the space', async () => {
  const stranger = await newUser(client);
  for (const path of pdfs) {
    expect((await client.get<any>(path)).body.url).toMatch(/\/~reader\/pdf\?token=/);
    expect((await client.get(path, { token: stranger.token })).status).toBe(404);
    expect((await client.get(path, { token: null })).status).toBe(401);
  }
});

it('an address that nobody was given leads nowhere', async () => {
  expect((await client.get('/~reader/pdf?token=eyJh.eyJh.x', { token: null })).status).toBe(404);
});
