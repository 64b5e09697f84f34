import { createLog } from '../../shared/monitoring/log.js';
import { readConfig } from '../../shared/settings/config.js';
import { loadEnvFile } from '../../shared/settings/env-file.js';
import { openProcess } from '../start.js';

// Opens what a process with these settings would, and closes it again: what would end each start is said once, where it ends a deployment.
process.umask(0o077);
try {
  loadEnvFile();
  const platform = await openProcess(readConfig(process.env), createLog('warn'));
  await platform.close();
  process.stdout.write('A process with these settings can start.\n');
  process.exit(0);
} catch (error) {
  process.stderr.write(`${(error as Error).message}\n`);
  process.exit(1);
}
