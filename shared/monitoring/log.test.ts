import { PassThrough } from 'node:stream';
import { BusLog } from '../bus/bus.js';
import { apiError } from '../errors/errors.js';
import { stillClock } from '../testing/still-clock.js';
import { createLog, type Log, onceASecond } from './log.js';

let lines: any[];
let log: Log;

beforeEach(() => {
  lines = [];
  const written = new PassThrough();
  written.on('data', (chunk) => {
    for (const line of String(chunk).trim().split('\n')) lines.push(JSON.parse(line));
  });
  log = createLog('debug', written);
});

describe('errors in the log', () => {
  it('have a stack where this code is to blame', () => {
    log.error({ err: new TypeError('broken') }, 'failed');
    expect(lines[0].err).toMatchObject({ type: 'TypeError', message: 'broken', stack: expect.stringContaining('at ') });
  });

  it('have their cause and no stack where the error is an answer by design', () => {
    const cause = new Error('connect ECONNREFUSED');
    log.error({ err: Object.assign(apiError('UNAVAILABLE', 'No answer'), { cause }) }, 'failed');
    log.warn({ err: apiError('NOT_FOUND', 'Space not found') }, 'failed');
    expect(lines.map(({ err }) => err)).toEqual([
      { type: 'UNAVAILABLE', message: 'No answer: connect ECONNREFUSED' },
      { type: 'NOT_FOUND', message: 'Space not found' },
    ]);
  });
});

describe('lines that repeat', () => {
  stillClock();

  it('come at once, then once a second with their number', () => {
    const tell = onceASecond(log);
    for (let n = 0; n < 1000; n++) tell('error', 'store', { n }, 'the store is down');
    tell('warn', 'bus', {}, 'the bus is down');
    expect(lines).toMatchObject([
      { level: 'error', msg: 'the store is down', n: 0, count: 1 },
      { level: 'warn', msg: 'the bus is down', count: 1 },
    ]);
    jest.advanceTimersByTime(1000);
    expect(lines.slice(2)).toMatchObject([{ msg: 'the store is down', n: 999, count: 999 }]);
    jest.advanceTimersByTime(1000);
    expect(lines).toHaveLength(3);
  });
});

describe('what Moleculer logs', () => {
  it('has our format, its module and its cause', () => {
    const handler = new BusLog(log).getLogHandler({ mod: 'transit' });
    handler?.('warn', ['Connection is failed.', 'connect ECONNREFUSED']);
    handler?.('error', ["Unable to handle 'x'", new Error('the cause')]);
    handler?.('error', [new Error('alone')]);
    expect(lines).toMatchObject([
      { level: 'warn', msg: 'Connection is failed. connect ECONNREFUSED', module: 'transit', time: expect.any(String) },
      { level: 'error', msg: "Unable to handle 'x'", err: { message: 'the cause' } },
      { level: 'error', msg: 'alone', err: { message: 'alone' } },
    ]);
  });

  it('is left out where the caller gets the same error', () => {
    const handler = new BusLog(log).getLogHandler({ mod: 'broker' });
    handler?.('warn', ["Service 'content.getSpaceById' is not available."]);
    handler?.('warn', ["Request 'content.getSpaceById' is timed out.", { timeout: 10_000 }]);
    handler?.('info', ['Connecting to the transporter...']);
    expect(lines).toEqual([]);
  });
});
