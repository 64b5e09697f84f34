import { parseArgs } from 'node:util';
import { createLog } from '../../shared/monitoring/log.js';
import { hasEmbeddedStore, openStore } from '../../shared/process/platform.js';
import { type Config, readConfig } from '../../shared/settings/config.js';
import { loadEnvFile } from '../../shared/settings/env-file.js';
import type { Store } from '../../shared/store/port.js';
import { issueApiToken, issuingCollections } from '../identity/accounts/api-tokens.js';
import { issueSignInLink } from '../identity/sign-in/links.js';
import { signInCollections } from '../identity/sign-in/model.js';

const usage = `Usage: npm run token -- create --email <address> [--label <text>] [--expires <ISO 8601 time>]
       npm run token -- link --email <address>

Creates an API token for a user, or a link that signs the user in in a browser: once, within seven days. Uses the settings of the server
(DATA_DIR or MONGODB_URL), which may be running.
`;

async function withStore(make: (store: Store, config: Config) => Promise<string>): Promise<void> {
  const config = readConfig(process.env);
  if (!config.MONGODB_URL && !hasEmbeddedStore(config))
    throw new Error(`DATA_DIR: no data in ${config.DATA_DIR}; start Bindery first, or correct the setting`);
  const store = await openStore(config, createLog('silent'));
  try {
    await store.prepare([...issuingCollections, ...signInCollections]);
    process.stdout.write(`${await make(store, config)}\n`);
  } finally {
    await store.close();
  }
}

process.umask(0o077);
try {
  loadEnvFile();
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      email: { type: 'string' },
      label: { type: 'string', default: 'Command line' },
      expires: { type: 'string' },
    },
  });
  const { email, label, expires } = values;
  const [command] = positionals;
  if ((command !== 'create' && command !== 'link') || !email) throw new Error(usage);
  if (expires !== undefined && Number.isNaN(Date.parse(expires))) throw new Error('--expires: not an ISO 8601 time');
  await withStore((store, { baseUrl }) =>
    command === 'link'
      ? issueSignInLink(store, { email, baseUrl })
      : issueApiToken(store, { email, label, expiresAt: expires }),
  );
} catch (error) {
  process.stderr.write(`${(error as Error).message}\n`);
  process.exitCode = 1;
}
