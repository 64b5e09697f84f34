import { webhook } from './declaration.js';
import { selectsType } from './selection.js';
import { signBody } from './send.js';

describe('a configuration selects', () => {
  it('content updates by default, and no other events', () => {
    const types = ['space_content_updated', 'page_created', 'comment_created', 'site_view', 'space_gitsync_started'];
    expect(types.filter((type) => selectsType({}, type))).toEqual(['space_content_updated']);
  });

  it.each([
    ['page_events', ['page_created', 'page_updated', 'page_moved', 'page_deleted']],
    ['comment_events', ['comment_created', 'comment_reply_deleted']],
    ['space_gitsync', ['space_gitsync_started', 'space_gitsync_completed']],
    ['space_visibility_updated', ['space_visibility_updated']],
    ['site_view', ['site_view']],
    ['page_feedback', ['page_feedback']],
    ['space_view', ['space_view']],
  ])('with %s, events of that kind', (kind, types) => {
    for (const type of types) expect([type, selectsType({ [kind]: true }, type)]).toEqual([type, true]);
    for (const type of types) expect([type, selectsType({ [kind]: false }, type)]).toEqual([type, false]);
  });

  it('with pages, not what visitors say of them', () => {
    expect(selectsType({ page_events: true }, 'page_feedback')).toBe(false);
  });

  it('nothing that is no event of a webhook, whatever it says', () => {
    for (const type of ['installation_setup', 'fetch', 'toString', 'constructor'])
      expect(selectsType({ [type]: true }, type)).toBe(false);
  });

  it('by its default what it says without sense', () => {
    expect(selectsType({ space_content_updated: 'yes', page_events: 1 }, 'space_content_updated')).toBe(true);
    expect(selectsType({ page_events: 1 }, 'page_created')).toBe(false);
  });
});

it('a signature holds the time and the HMAC of time and body', () => {
  expect(signBody({ secret: 'a-secret-of-many-characters', seconds: 1_700_000_000, body: '{"a":1}' })).toMatch(
    /^t=1700000000,v1=[0-9a-f]{64}$/,
  );
});

it('the declaration keeps the bounds of manifests', () => {
  const { account } = webhook.configurations as {
    account: { properties: Record<string, { title: string; description: string }> };
  };
  expect(webhook.title.length).toBeLessThanOrEqual(30);
  expect(webhook.description?.length).toBeLessThanOrEqual(100);
  expect(webhook.summary?.length).toBeLessThanOrEqual(2048);
  for (const { title, description } of Object.values(account.properties)) {
    expect(title.length).toBeLessThanOrEqual(30);
    expect(description.length).toBeLessThanOrEqual(100);
  }
});
