import { createRequire } from 'node:module';
import { relative } from 'node:path';

const { default: Sequencer } = createRequire(import.meta.url)('@jest/test-sequencer');

/**
 * The files that take longest, in order. A fresh clone knows no times, and jest would begin with the largest file: a long one that begins last
 * is what a whole run then waits for.
 */
const longest = [
  'test/fault/kills',
  'test/fault/integration-attacks',
  'test/fault/start',
  'test/fault/insights-server',
  'test/fault/backup-refused',
  'test/fault/import-attacks',
  'test/fault/hostile-pages',
  'test/e2e/content-bounds',
  'test/upgrade/contract',
  'test/upgrade/data',
  'test/e2e/renderers',
  'test/e2e/deadlines',
  'test/contract/official-schema',
  'test/e2e/git-export-conflicts',
  'test/contract/fuzz',
  'services/integrations/runtime/limits',
  'test/e2e/insights-aggregation',
  'test/e2e/trusted-organizations',
  'test/e2e/integration-cli',
  'test/e2e/git-export-properties',
  'test/e2e/domains',
  'test/contract/scopes',
  'test/e2e/insights-senders',
  'test/e2e/site-visitors',
  'test/e2e/git-export',
  'test/e2e/content-imports',
  'test/contract/tenants',
].map((path) => `${path}.test.ts`);

export default class LongestFirst extends Sequencer {
  sort(tests) {
    const rank = ({ path, context }) => {
      const at = longest.indexOf(relative(context.config.rootDir, path));
      return at < 0 ? longest.length : at;
    };
    return super.sort(tests).sort((a, b) => rank(a) - rank(b));
  }
}
