import autocannon from 'autocannon';
import type { ServiceBroker } from 'moleculer';
import { z } from 'zod';
import { gatewayService } from '../services/gateway/service.js';
import { createBus } from '../shared/bus/bus.js';
import { defineContract, operation } from '../shared/contract/operation.js';
import { bindService } from '../shared/contract/service.js';
import { createLog } from '../shared/monitoring/log.js';
import { freePort } from '../shared/process/free-port.js';
import { openPlatform } from '../shared/process/platform.js';
import { readConfig } from '../shared/settings/config.js';

const count = 200;
const goal = 1.05;

const one = (index: number) =>
  operation({
    method: 'GET',
    path: `/kind${index}/{id}/part`,
    summary: 'Same',
    tag: 'Bench',
    access: 'public',
    status: 200,
    response: z.object({}),
  });
const contract = defineContract(
  'bench',
  Object.fromEntries(Array.from({ length: count }, (_, i) => [`same${i}`, one(i)])),
);

async function rate(url: string): Promise<number> {
  return (await autocannon({ url, connections: 64, duration: 2 })).requests.average;
}

function createServices(broker: ServiceBroker, platform: Awaited<ReturnType<typeof openPlatform>>): void {
  const handlers = Object.fromEntries(Object.keys(contract).map((id) => [id, async () => ({})]));
  broker.createService(bindService({ name: 'bench', contract, handlers: handlers as never, ready: async () => {} }));
  broker.createService(gatewayService(platform, { operations: Object.values(contract), dependencies: ['bench'] }));
}

/** The first of 200 equal operations against the last, through the real gateway. */
export async function benchRoutes(dataDir: string): Promise<boolean> {
  const port = await freePort();
  const log = createLog('warn');
  const platform = await openPlatform(
    readConfig({ PORT: String(port), DATA_DIR: dataDir, RATE_LIMIT_PER_MINUTE: '0' }),
    log,
  );
  const broker = createBus({ blobs: platform.blobs, log });
  createServices(broker, platform);
  await broker.start();
  const url = (index: number) => `http://127.0.0.1:${port}/v1/kind${index}/x/part`;
  await rate(url(0));
  const ratios: number[] = [];
  for (let round = 0; round < 5; round++) ratios.push((await rate(url(0))) / (await rate(url(count - 1))));
  await broker.stop();
  await platform.close();
  const ratio = ratios.toSorted((a, b) => a - b)[2] as number;
  process.stdout.write(
    `${ratio <= goal ? 'ok  ' : 'MISS'} first of ${count} operations ${ratio.toFixed(3)} times the rate of the last (goal ${goal})\n`,
  );
  return ratio <= goal;
}
