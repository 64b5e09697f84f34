import { operations } from '../contracts.js';
import { loggablePath } from './request-log.js';

it('a path for the log has names where secrets stand, and all else', () => {
  const invite = operations.find(({ path }) => path === '/orgs/{organizationId}/invites/{inviteId}');
  expect(invite).toBeDefined();
  expect(loggablePath('/v1/orgs/o1/invites/i1', invite)).toBe('/v1/orgs/o1/invites/{inviteId}');
  expect(loggablePath('/app/join/o1/i1', undefined)).toBe('/app/join/o1/{inviteId}');
  expect(loggablePath('/app/join/o1/i1/', undefined)).toBe('/app/join/o1/{inviteId}');
  expect(loggablePath('/app/o/o1/members/invite', undefined)).toBe('/app/o/o1/members/invite');
});
