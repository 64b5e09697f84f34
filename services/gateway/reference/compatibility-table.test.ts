import type { AnyOperation } from '../../../shared/contract/operation.js';
import { compatibilityTable } from './compatibility-table.js';

const own = (id: string, method: string, path: string) => ({ id, method, path }) as AnyOperation;

it('says of each version what is there, and why the rest is not', () => {
  const table = compatibilityTable(
    [
      own('getSiteById', 'GET', '/sites/{id}'),
      own('inviteToSite', 'POST', '/sites/{id}/permissions'),
      own('ours', 'GET', '/ours'),
    ],
    [
      { version: '1', lines: ['getSiteById GET /sites/{siteId}', 'adsListSites GET /ads/sites'] },
      { version: '2', lines: ['getSiteById GET /sites/{siteId}', 'inviteToSite POST /sites/{siteId}/permissions'] },
    ],
  );
  for (const line of [
    'Bindery has 1 of the 2 operations of the version 1 of the public API, and 2 of the 2 operations of the version 2 of the public API.',
    '| Operation | Request | 1 | 2 |',
    '| `adsListSites` | `GET /ads/sites` | 501 | – |',
    '| `getSiteById` | `GET /sites/{siteId}` | ✓ | ✓ |',
    '| `inviteToSite` | `POST /sites/{siteId}/permissions` | – | ✓ |',
    '| Advertisements | `adsListSites` | Sites of Bindery show none. |',
    '| `ours` | `GET /ours` |',
  ])
    expect(table.split('\n')).toContain(line);
  expect(table).not.toContain('Billing');
});
