import { createLog } from '../../shared/monitoring/log.js';
import { readConfig } from '../../shared/settings/config.js';
import { launcherHere } from '../integrations/runtime/process/launch.js';
import { serveProcesses } from '../integrations/runtime/runner/serve-processes.js';

// Runs the scripts of integrations for a service in another container: this one needs no secrets, no stores and no network.
process.umask(0o077);
try {
  const { INTEGRATION_RUNNER, INTEGRATION_SANDBOX, LOG_LEVEL } = readConfig(process.env);
  if (!INTEGRATION_RUNNER)
    throw new Error('Invalid settings:\n  INTEGRATION_RUNNER: required: the socket to listen at');
  const log = createLog(LOG_LEVEL);
  const close = await serveProcesses(INTEGRATION_RUNNER, launcherHere(INTEGRATION_SANDBOX, log), log);
  for (const signal of ['SIGTERM', 'SIGINT'] as const)
    process.once(signal, () => void close().then(() => process.exit(0)));
  log.info({ socket: INTEGRATION_RUNNER }, 'started');
} catch (error) {
  process.stderr.write(`${(error as Error).message}\n`);
  process.exit(1);
}
