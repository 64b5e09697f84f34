import { sha256 } from '../../../shared/values/ids.js';
import { check, type Files, sound, toLine, without } from '../../../test/support/sound-archive.js';

const path = `sites/files/${sha256('image')}/logo.png`;
const shown = (settings: object, files: unknown = [path]): Files => ({
  ...sound,
  'sites/customizations.ndjson': toLine({ site: 'site', settings, files }),
  [path]: 'image',
});
const withLogo = (light: string) => ({ header: { logo: { light, dark: 'https://example.com/logo.png' } } });

describe('an archive with images of sites', () => {
  it('is sound where settings name them in place of addresses', async () => {
    await expect(check(shown(withLogo(path)))).resolves.toMatchObject({ organization: 'org' });
  });

  it.each<[string, Files, string]>([
    ['lacks one', without(path, shown(withLogo(path))), `files: ${path} is missing`],
    ['has another under its name', { ...shown(withLogo(path)), [path]: 'other' }, 'must have the hash of its content'],
    ['has one that no line names', shown({}, []), `${path}: is no file of an archive`],
    ['names one in settings alone', shown(withLogo(path), []), 'settings.header.logo.light'],
    [
      'names one elsewhere',
      shown(withLogo(path), ['spaces/space/space.json']),
      'files.0: must be a name in sites/files',
    ],
    [
      'names one that leads up',
      shown({}, [`sites/files/${sha256('a')}/..`]),
      'files.0: must be a name in sites/files/',
    ],
    [
      'has a large one',
      { ...shown(withLogo(path)), [path]: Buffer.alloc(10_000_001) },
      'logo.png: has more than 10000000 bytes',
    ],
    ['has an address that is a script', shown(withLogo('javascript:alert(1)')), 'settings.header.logo.light'],
  ])('is refused that %s', async (_, archive, message) => {
    await expect(check(archive)).rejects.toThrow(message);
  });
});
