import type { Call } from '../../../shared/contract/service.js';
import { apiError } from '../../../shared/errors/errors.js';
import { createLog } from '../../../shared/monitoring/log.js';
import { scriptsFor } from './published/published-site.js';

const site = { _id: 'site_1', organization: 'acme' };
const deps = (answer: () => Promise<unknown>) => ({
  log: createLog('silent'),
  callAsSystem: () => answer as unknown as Call,
});

it('a site is shown with the scripts of its integrations, and without them while nobody tells', async () => {
  const scripts = [{ script: 'https://docs.example/script.js', cookies: false }];
  expect(
    await scriptsFor(
      deps(async () => scripts),
      site,
    ),
  ).toEqual(scripts);
  const down = deps(() => Promise.reject(apiError('UNAVAILABLE', 'integrations are down')));
  expect(await scriptsFor(down, site)).toEqual([]);
});
