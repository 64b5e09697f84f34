import { checkUrl, isAllowedAddress, validCidr } from './address.js';

describe('allowedAddress', () => {
  test.each(['1.1.1.1', '93.184.216.34', '2606:4700::1111', '::ffff:8.8.8.8', '64:ff9b::808:808', '2002:808:808::1'])(
    'lets the public address %s through',
    (ip) => {
      expect(isAllowedAddress(ip)).toBe(true);
    },
  );

  test.each([
    '127.0.0.1',
    '127.255.0.3',
    '0.0.0.0',
    '10.1.2.3',
    '172.16.0.1',
    '192.168.1.1',
    '169.254.169.254',
    '100.64.0.1',
    '192.0.2.1',
    '198.18.0.1',
    '224.0.0.1',
    '255.255.255.255',
    '::',
    '::1',
    '::127.0.0.1',
    '::ffff:127.0.0.1',
    '::ffff:169.254.169.254',
    '64:ff9b::7f00:1',
    '64:ff9b:1::808:808',
    '2002:7f00:1::1',
    '2001:0:808:808::1',
    'fe80::1',
    'fe80::1%eth0',
    'fc00::1',
    'fec0::1',
    'ff02::1',
    '2001:db8::1',
    '100::1',
    '4000::1',
    '',
    'example.com',
  ])('refuses %s', (ip) => {
    expect(isAllowedAddress(ip)).toBe(false);
  });

  test('lets through what the operator allows, and no adjacent address', () => {
    const allow = ['10.0.0.0/8', 'fd00::/8', '127.0.0.1', 'nonsense'];
    for (const ip of ['10.9.9.9', 'fd12::1', '127.0.0.1', '::ffff:10.0.0.1'])
      expect(isAllowedAddress(ip, allow)).toBe(true);
    for (const ip of ['11.0.0.1', '127.0.0.2', 'fc00::1', '192.168.0.1'])
      expect(isAllowedAddress(ip, allow)).toBe(ip === '11.0.0.1');
    expect(['10.0.0.0/8', '10.0.0.1', 'fd00::/8'].every(validCidr)).toBe(true);
    expect(['10.0.0.0/33', 'localhost', '', '10.0.0.0/x'].some(validCidr)).toBe(false);
  });
});

describe('checkUrl', () => {
  test.each(['https://example.com/a.git', 'http://example.com:8080/', 'HTTPS://EXAMPLE.com', 'https://u:p@8.8.8.8/x'])(
    'takes %s',
    (url) => {
      expect(checkUrl(url)).toMatchObject({ ok: true });
    },
  );

  test.each([
    'javascript:alert(1)',
    'file:///etc/passwd',
    'ext::sh',
    'ext::sh -c id',
    '--upload-pack=x',
    '-https://example.com',
    'ssh://example.com/',
    'git://example.com/a',
    'ftp://example.com',
    'git@example.com:a/b.git',
    '/etc/passwd',
    'example.com',
    '',
    'https:example.com',
    'https:///example.com',
    'https://\\example.com',
    'https://',
    'https://:80',
    'https://user@',
    'https://a b.com',
    'https://exa\nmple.com',
    ' https://example.com',
    'https://[::1',
    'https://256.1.1.1',
  ])('refuses %j', (url) => {
    expect(checkUrl(url)).toMatchObject({ ok: false });
  });

  test.each([
    'http://127.0.0.1',
    'http://127.1',
    'http://0x7f.1',
    'http://0177.0.0.1',
    'http://2130706433',
    'http://127.0.0.1.',
    'http://①②⑦.0.0.1',
    'http://[::1]',
    'http://[::ffff:7f00:1]',
    'http://[64:ff9b::7f00:1]',
    'http://0.0.0.0',
    'http://169.254.169.254/latest/meta-data',
    'http://localhost',
    'http://LOCALHOST.:80',
    'http://a.localhost',
    'http://user:secret@10.0.0.1',
  ])('refuses the private address %s, without repeating credentials', (url) => {
    const result = checkUrl(url);
    expect(result).toMatchObject({ ok: false, problem: expect.stringContaining('is refused') });
    expect(JSON.stringify(result)).not.toContain('secret');
  });

  test('accepts private addresses that the operator allows', () => {
    for (const url of ['http://127.0.0.1:3000', 'http://localhost:3000', 'http://0x7f.1']) {
      expect(checkUrl(url, { allowCidrs: ['127.0.0.0/8'] })).toMatchObject({ ok: true });
    }
    expect(checkUrl('http://localhost', { allowCidrs: ['10.0.0.0/8'] })).toMatchObject({ ok: false });
    expect(checkUrl('http://example.com', { schemes: ['https'] })).toMatchObject({
      ok: false,
      problem: 'must start with https://',
    });
  });
});
