import { checkNats, natsServers } from './nats.js';

describe('the addresses of NATS', () => {
  it('may be several, with one login', () => {
    expect(natsServers('nats://ada:p%40ss@one:4222, nats://two,nats://[::1]:4223')).toEqual({
      servers: ['one:4222', 'two', '[::1]:4223'],
      user: 'ada',
      pass: 'p@ss',
    });
  });

  it('require TLS where one is tls://', () => {
    expect(natsServers('tls://one:4222')).toEqual({ servers: ['one:4222'], tls: {} });
  });

  it('are named, without the password, when no server answers', async () => {
    await expect(checkNats('nats://ada:hidden@127.0.0.1:1,nats://127.0.0.1:2')).rejects.toThrow(
      /^NATS_URL: no connection to 127\.0\.0\.1:1, 127\.0\.0\.1:2 \(CONNECTION_REFUSED\): start NATS/,
    );
  });
});
