import { ServiceBroker } from 'moleculer';
import { bindService } from './service.js';

describe('the hints of a service', () => {
  let broker: ServiceBroker;
  const heard: unknown[] = [];
  beforeAll(async () => {
    broker = new ServiceBroker({ logger: false });
    broker.createService(
      bindService({
        name: 'listener',
        contract: {},
        handlers: {},
        ready: async () => {},
        hints: { 'speaker.said': (payload) => heard.push(payload) },
      }),
    );
    await broker.start();
  });
  afterAll(() => broker.stop());

  it('get the payload of an event', async () => {
    await broker.broadcast('speaker.said', { words: 3 });
    expect(heard).toEqual([{ words: 3 }]);
  });

  it('are called for an event without one', async () => {
    heard.length = 0;
    await broker.broadcast('speaker.said');
    await broker.broadcast('speaker.said', null);
    expect(heard).toHaveLength(2);
  });
});
