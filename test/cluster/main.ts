import { NameServer } from '../support/name-server.js';
import { testToken as token } from '../support/server.js';
import { Cluster } from './cluster.js';
import { endToEnd, stayIdle } from './end-to-end.js';
import { cutOffs } from './phases/cut-off.js';
import { imports } from './phases/imports.js';
import { kills } from './phases/kills.js';
import { outages } from './phases/outages.js';
import { overload } from './phases/overload.js';
import { rolling } from './phases/rolling.js';
import { Report } from './report.js';

/** The parts of the test; arguments choose some. */
const parts: Record<string, (cluster: Cluster, report: Report) => Promise<void>> = {
  idle: stayIdle,
  e2e: (cluster, report) => endToEnd(cluster, token, report),
  kills: (cluster, report) => kills({ cluster, report, token }),
  outages: (cluster, report) => outages({ cluster, report, token }),
  'cut-off': (cluster, report) => cutOffs({ cluster, report, token }),
  overload: (cluster, report) => overload({ cluster, report, token }),
  imports: (cluster, report) => imports({ cluster, report, token }),
  rolling: (cluster, report) => rolling({ cluster, report, token }),
};

const asked = process.argv.slice(2);
const chosen = Object.entries(parts).filter(([name]) => asked.length === 0 || asked.includes(name));

async function main(): Promise<void> {
  const names = new NameServer();
  process.env.BINDERY_TEST_DNS = await names.open();
  process.env.BINDERY_TEST_DNS_CONTROL = await names.openControl();
  const report = new Report();
  const cluster = await Cluster.start({ token });
  try {
    for (const [, run] of chosen) await run(cluster, report);
  } finally {
    for (const node of cluster.nodes)
      if (!node.isRunning())
        process.stderr.write(`${node.name} is not running; its last words:\n${node.lastWords()}\n`);
    await cluster.stop();
    names.close();
  }
  process.stdout.write(`\n${report.table()}\n`);
  process.exitCode = report.isKept ? 0 : 1;
}

await main();
