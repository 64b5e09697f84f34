import { accepted } from './accepted.js';
import { readContract, readRecording } from './baseline.js';
import { compareContracts, withoutAccepted } from './contract/breaks.js';
import { declaredContract } from './contract/declared.js';

it('what the last release declared holds on, besides what is accepted', () => {
  const { commit, version } = readRecording();
  const { breaks, additions } = compareContracts(readContract(), declaredContract());
  const { breaks: unaccepted, idle } = withoutAccepted(breaks, accepted);
  process.stdout.write(
    `New since ${version} (${commit.slice(0, 10)}):\n${additions.map((each) => `  ${each}\n`).join('')}`,
  );
  expect(unaccepted.map(({ at, text }) => `${at} ${text}`)).toEqual([]);
  expect(idle).toEqual([]);
});
