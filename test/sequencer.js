import { createRequire } from 'node:module';
import { relative } from 'node:path';

const { default: Sequencer } = createRequire(import.meta.url)('@jest/test-sequencer');

/**
 * The files that take longest, in order. A fresh clone knows no times, and jest would begin with the largest file: a long one that begins last
 * is what a whole run then waits for.
 */
const longest = ['test/upgrade/contract.test.ts', 'test/upgrade/data.test.ts'];

export default class LongestFirst extends Sequencer {
  sort(tests) {
    const rank = ({ path, context }) => {
      const at = longest.indexOf(relative(context.config.rootDir, path));
      return at < 0 ? longest.length : at;
    };
    return super.sort(tests).sort((a, b) => rank(a) - rank(b));
  }
}
