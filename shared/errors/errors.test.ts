import { ServiceBroker } from 'moleculer';
import { apiError, conflict, type ErrorType, errorCatalogue, errorReasons, failureOf, rateLimited } from './errors.js';

const reasons = Object.entries(errorReasons);

it('a reason is a word for programs, with a meaning for people', () => {
  for (const [reason, [type, meaning]] of reasons) {
    expect(reason).toMatch(/^[a-z]+(_[a-z]+){0,4}$/);
    expect(errorCatalogue).toHaveProperty(type);
    expect(meaning).toMatch(/^[A-Z].{10,110}[^.]$/);
  }
});

it.each(Object.keys(errorCatalogue) as ErrorType[])(
  'an error of type %s has the first reason of its type by default',
  (type) => {
    expect(failureOf(apiError(type, 'text')).reason).toBe(reasons.find(([, [own]]) => own === type)?.[0]);
  },
);

it('a reason that no error of this release may have becomes the default of its type', () => {
  const reasonOf = (data: unknown) => failureOf({ type: 'CONFLICT', message: 'text', data }).reason;
  expect([undefined, null, {}, { reason: 'of_a_later_release' }, { reason: 'not_found' }].map(reasonOf)).toEqual(
    Array.from({ length: 5 }, () => 'conflict'),
  );
  expect(failureOf({ type: 'SERVICE_NOT_FOUND', data: { reason: 'busy' } }).reason).toBe('unavailable');
});

it('a reason comes over the bus with its error', async () => {
  const brokers = ['near', 'far'].map((nodeID) => new ServiceBroker({ nodeID, logger: false, transporter: 'Fake' }));
  const [near, far] = brokers as [ServiceBroker, ServiceBroker];
  const failing = (error: Error) => () => Promise.reject(error);
  far.createService({
    name: 'names',
    actions: {
      take: failing(conflict('name: already taken', 'taken')),
      ask: failing(rateLimited('More than 10 questions', 2000, 'too_many_jobs')),
      keep: failing(apiError('NOT_FOUND', 'Name not found')),
    },
  });
  await Promise.all(brokers.map((broker) => broker.start()));
  try {
    await near.waitForServices('names');
    const reasonOf = (action: string) => near.call(action).catch((error) => failureOf(error).reason);
    expect(await Promise.all(['names.take', 'names.ask', 'names.keep'].map(reasonOf))).toEqual([
      'taken',
      'too_many_jobs',
      'not_found',
    ]);
  } finally {
    await Promise.all(brokers.map((broker) => broker.stop()));
  }
});
