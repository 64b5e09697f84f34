import { setTimeout as pause } from 'node:timers/promises';
import { openProbe } from './probe.js';
import { withProduct } from './product.js';

/** What other requests notice while the script of an integration does its worst: p99 of small requests against that before. */
const attacks: Record<string, string> = {
  'endless loop': 'for (;;) {}',
  'loop of promises': 'for (;;) await null;',
  '2 GB of buffers':
    'const kept = []; for (let at = 0; at < 64; at++) kept.push(new Uint8Array(32 * 1024 * 1024).fill(1)); return new Response(String(kept.length));',
  '2 GB of objects': 'const kept = []; for (;;) kept.push(new Array(1000).fill(kept.length));',
  '10,000 log lines': "for (let at = 0; at < 10_000; at++) console.log('line', at); return new Response('logged');",
  '100 MB of log':
    "for (let at = 0; at < 100; at++) console.log('x'.repeat(1_000_000)); return new Response('logged');",
  '20 MB answer': 'return new Response(new Uint8Array(20 * 1024 * 1024));',
};
const attackMs = 10_000;
const goal = 2;
/** Below this many milliseconds, the p99 of two runs differs by more than the goal anyway. */
const noiseMs = 10;

const script = `const attacks = [${Object.values(attacks).map((code) => `async () => { ${code} }`)}];
export default { async fetch(request) {
  const event = JSON.parse((await request.formData()).get('event'));
  return event.type === 'fetch' ? attacks[Number(new URL(event.request.url).pathname.split('/').pop())]() : new Response(null, { status: 406 });
} };`;

/** Asks again as soon as it is answered, for as long as an attack takes. */
async function attack(endpoint: string, at: number): Promise<number> {
  const end = Date.now() + attackMs;
  let count = 0;
  for (; Date.now() < end; count++) await fetch(`${endpoint}/${at}`).then((answer) => answer.arrayBuffer());
  return count;
}

await withProduct(async (product) => {
  const { call } = product;
  const { id: organization } = await call<{ id: string }>('POST', '/orgs', { title: 'Attacked' });
  const body = { runtime: 'v2', title: 'Attacks', description: 'Of a measurement.', organization, script };
  await call('POST', '/integrations/attacks', body);
  type Installed = { urls: { publicEndpoint: string } };
  const { urls } = await call<Installed>('POST', '/integrations/attacks/installations', { organization });
  const probe = openProbe(product, `/v1/orgs/${organization}`);
  await pause(3000);
  const misses: string[] = [];
  process.stdout.write('p99 before ms   p99 ms   ratio   held ms   attacks in 10 s\n');
  for (const [at, name] of Object.keys(attacks).entries()) {
    await probe.seen();
    await pause(5000);
    const before = await probe.seen();
    const count = await attack(urls.publicEndpoint, at);
    const during = await probe.seen();
    const ratio = Math.max(during.p99, noiseMs) / Math.max(before.p99, noiseMs);
    if (ratio > goal) misses.push(name);
    const figures = [
      before.p99.toFixed(1),
      during.p99.toFixed(1),
      ratio.toFixed(2),
      during.heldMs.toFixed(0),
      String(count),
    ];
    process.stdout.write(`${figures.map((each) => each.padStart(9)).join('')}   ${name}\n`);
  }
  await probe.close();
  if (misses.length > 0) process.exitCode = 1;
  process.stdout.write(misses.length > 0 ? `MISS ${misses.join(', ')}\n` : `ok   p99 within ${goal} times\n`);
});
