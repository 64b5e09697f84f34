import { pixel } from '../../../test/support/integrations.js';
import {
  check,
  configured,
  type Files,
  installation,
  integration,
  manifest,
  sound,
  toLine,
  without,
} from '../../../test/support/sound-archive.js';

const withIntegration = (changed: object): Files => ({
  ...sound,
  'integrations/integrations.ndjson': toLine({ ...integration, ...changed }),
});
const withManifest = (changed: object): Files => withIntegration({ manifest: { ...manifest, ...changed } });
const withInstallation = (changed: object): Files => ({
  ...sound,
  'integrations/installations.ndjson': toLine({ ...installation, ...changed }),
});
const withPlace = (place: object): Files => ({
  ...sound,
  'integrations/content-installations.ndjson': toLine({ installation: 'installation', ...place, ...configured }),
});

describe('an archive with integrations', () => {
  it.each<[string, Files, string]>([
    [
      'has a script that is none',
      { ...sound, 'integrations/hello/script.js': Buffer.from([0xff]) },
      'script.js: must be 1 to',
    ],
    ['lacks a script', without('integrations/hello/script.js'), 'name: integrations/hello/script.js is missing'],
    [
      'has an icon that is none',
      { ...sound, 'integrations/hello/icon.png': '<svg onload="x"/>' },
      'icon.png: icon: must be a PNG, JPEG, GIF or WebP image',
    ],
    [
      'has an icon of another form',
      { ...sound, 'integrations/hello/icon.png': Buffer.from(pixel.gif, 'base64') },
      'icon.png: icon: must be of the form that its name says',
    ],
    [
      'has a large icon',
      { ...sound, 'integrations/hello/icon.png': Buffer.alloc(250_001) },
      'icon.png: has more than 250000 bytes',
    ],
    [
      'has a file of no integration',
      { ...sound, 'integrations/other/script.js': 'a' },
      'integrations/other/script.js: is no file of an archive',
    ],
    ['has an integration that leads up', withIntegration({ name: '..' }), 'line 1: name: integrationName: must be'],
    [
      'has two integrations of one name',
      { ...sound, 'integrations/integrations.ndjson': toLine(integration) + toLine({ ...integration, name: 'Hello' }) },
      'line 2: name: is on another line',
    ],
    ['has an integration with secrets', withIntegration({ secrets: { KEY: 'a' } }), 'unknown field: secrets'],
    ['has a verified integration', withIntegration({ verified: true }), 'unknown field: verified'],
    ['has a manifest that nobody may publish', withManifest({ title: 'a' }), 'line 1: manifest.title: at least 2'],
    ['has a manifest with unknown fields', withManifest({ x: 1 }), 'manifest: has unknown fields, or lacks some'],
    [
      'has unknown fields within a manifest',
      withManifest({ blocks: [{ id: 'a', title: 'Aa', x: 1 }] }),
      'manifest: has unknown fields, or lacks some',
    ],
    [
      'has a manifest that contradicts itself',
      withManifest({ blocks: Array(2).fill({ id: 'a', title: 'Aa' }) }),
      'manifest: blocks.1.id: another one has this id',
    ],
    [
      'has an installation with more than simple values',
      withInstallation({ configuration: { login: { token: 'a' } } }),
      'line 1: configuration.login',
    ],
    [
      'installs an integration twice',
      { ...sound, 'integrations/installations.ndjson': toLine(installation) + toLine({ ...installation, id: 'b' }) },
      'line 2: publication: is on another line',
    ],
    [
      'has an installation on a site that it lacks',
      withPlace({ site: 'x' }),
      'content-installations.ndjson line 1: site: x is not in sites/sites.ndjson',
    ],
    ['has an installation on a space that it lacks', withPlace({ space: 'x' }), 'space: x is not in spaces'],
    ['has an installation on nothing', withPlace({}), 'must be on either a `space` or a `site`'],
    [
      'has an installation on a space without the one in its organization',
      { ...sound, 'integrations/installations.ndjson': '' },
      'installation: installation is not in integrations/installations.ndjson',
    ],
  ])('is refused that %s', async (_, archive, message) => {
    await expect(check(archive)).rejects.toThrow(message);
  });
});
