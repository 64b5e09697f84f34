import { posted } from '../support/comments.js';
import { newOrganization, newSpace, shared } from '../support/fixtures.js';
import { done } from '../support/requests/setting.js';
import { eventsOf, installWebhook, openReceiver, type WebhookReceiver } from '../support/webhooks.js';

const client = shared();
const comments = { comment_events: true };
let organization: string;
let receiver: WebhookReceiver;
beforeEach(async () => {
  organization = await newOrganization(client);
  receiver = await openReceiver(() => 500);
});
afterEach(() => receiver.close());

const install = () => installWebhook(client, { organization, url: receiver.url, configuration: comments });

describe('a webhook', () => {
  it('is not sent once the secret is gone, and not tried again', async () => {
    const space = await newSpace(client, organization);
    const at = await install();
    await posted(client, { space, at: `/v1/spaces/${space}` }, 'Told');
    await receiver.until(({ length }) => length === 1);
    const { configuration } = await done(client.get(at));
    expect(await done(client.patch(at, { configuration: { ...configuration, secret: '' } }))).toMatchObject({
      status: 'pending',
    });
    const [dead] = await eventsOf(client, at, ({ length }) => length === 1, 'dead=true');
    const { trace } = await done(client.get(`${at}/events/${dead.id}`));
    expect(trace.logs.at(-1).message).toBe('not sent: the configuration has no url or no secret');
    expect(receiver.deliveries.length).toBeLessThanOrEqual(2);
  });

  it.each([
    ['url', 'http://10.0.0.1/', 'not a public address'],
    ['url', 'no address', 'must not contain spaces'],
    ['url', 'ftp://example.com/', 'must start with https:// or http://'],
    ['secret', 'fifteen letters', 'must have at least 16 characters'],
  ])('is not configured with the %s "%s"', async (field, value, problem) => {
    const at = await install();
    const { configuration } = await done(client.get(at));
    const changed = { configuration: { ...configuration, [field]: value } };
    const refused = [
      await client.patch(at, changed),
      await client.post('/v1/integrations/webhook/installations', {
        organization: await newOrganization(client),
        ...changed,
      }),
    ];
    for (const { status, body } of refused)
      expect([status, body.error.message]).toEqual([
        400,
        expect.stringMatching(`^configuration.${field}: .*${problem}`),
      ]);
    expect((await done(client.get(at))).configuration).toEqual(configuration);
  });
});
