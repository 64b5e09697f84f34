import { modelSettings, openModelServer } from '../../shared/model/testing/model-server.js';
import { NameServer } from '../support/name-server.js';
import { testToken as token } from '../support/server.js';
import { Cluster } from './cluster.js';
import { endToEnd, stayIdle } from './end-to-end.js';
import { cutOffs } from './phases/cut-off.js';
import { imports } from './phases/imports.js';
import { kills } from './phases/kills.js';
import { outages } from './phases/outages.js';
import { overload } from './phases/overload.js';
import type { Setting } from './phases/phase.js';
import { rolling } from './phases/rolling.js';
import { Report } from './report.js';
import { inTurn } from './turn.js';

type Part = (setting: Setting) => Promise<void>;

/** The parts of the test; arguments choose some: their names, `idle` for the one before them, `busy` for what is in turn of all others. */
const parts: Record<string, Part> = {
  e2e: ({ cluster, report }) => endToEnd(cluster, token, report),
  kills,
  outages,
  'cut-off': cutOffs,
  overload,
  imports,
  rolling,
};
/** The landing whose turn is the rolling upgrade has the first one: that is a rolling restart too. */
const eitherOf = ['overload', 'imports', 'rolling'];
/** How many times their usual length deadlines are while processes are under load, all on this machine. */
const underLoad = '3';

const given = process.argv.slice(2);
const unknown = given.filter((name) => !['idle', 'busy'].includes(name) && !(name in parts));
if (unknown.length > 0)
  throw new Error(`no part is called ${unknown}; there are idle, busy, ${Object.keys(parts).join(', ')}`);
const asked = given.length > 0 ? given : ['idle', 'busy'];
const others = inTurn(eitherOf);
const isInTurn = (name: string) => asked.includes('busy') && (!eitherOf.includes(name) || others.includes(name));
const chosen = Object.entries(parts)
  .filter(([name]) => asked.includes(name) || isInTurn(name))
  .map(([, run]) => run);
const report = new Report();

/** Runs parts on a cluster of their own. */
async function onCluster(run: Part[], TIME_SCALE: string): Promise<void> {
  if (run.length === 0) return;
  const cluster = await Cluster.start({ token, settings: { TIME_SCALE, ...modelSettings(model) } });
  try {
    for (const part of run) await part({ cluster, report, token });
  } finally {
    for (const node of cluster.nodes)
      if (!node.isRunning())
        process.stderr.write(`${node.name} is not running; its last words:\n${node.lastWords()}\n`);
    await cluster.stop();
  }
}

const names = new NameServer();
process.env.BINDERY_TEST_DNS = await names.open();
process.env.BINDERY_TEST_DNS_CONTROL = await names.openControl();
const model = await openModelServer();
process.env.BINDERY_TEST_MODEL = model.url;
// Deadlines are as long as they are for users, since it is to outlive them all.
if (asked.includes('idle')) await onCluster([({ cluster }) => stayIdle(cluster, report)], '1');
await onCluster(chosen, process.env.TIME_SCALE ?? underLoad);
names.close();
await model.close();
process.stdout.write(`\n${report.table()}\n`);
process.exitCode = report.isKept ? 0 : 1;
