// Loading the program takes a second, and opening its stores may take many. Until then nothing is begun, and a signal ends the process in order.
for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => process.exit(0));
const { main } = await import('./start.js');
await main();
