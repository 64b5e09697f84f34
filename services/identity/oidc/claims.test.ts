import { groupsOfClaims, lacksClaims, personOfClaims, withUserInfo } from './claims.js';

const anyDomain = { emailDomains: [] };
const verified = { sub: '1', email: 'Ada@Example.com', email_verified: true };

describe('a person of claims', () => {
  it('has the address in lower case, and a name of one line', () => {
    expect(personOfClaims({ ...verified, name: ' Ada\r\n Lovelace ' }, anyDomain)).toEqual({
      email: 'ada@example.com',
      displayName: 'Ada Lovelace',
    });
    expect(personOfClaims({ ...verified, given_name: 'Ada', family_name: 'Lovelace' }, anyDomain).displayName).toBe(
      'Ada Lovelace',
    );
    expect(personOfClaims({ ...verified, name: '\u0000' }, anyDomain)).toEqual({ email: 'ada@example.com' });
  });

  it.each([
    ['no address', { email: undefined }],
    ['two addresses', { email: ['ada@example.com', 'bob@example.com'] }],
    ['no valid address', { email: 'ada' }],
    ['a long address', { email: `${'a'.repeat(250)}@example.com` }],
    ['an address that is not verified', { email_verified: false }],
    ['an address of which nothing is said', { email_verified: undefined }],
    ['a text for whether it is verified', { email_verified: 'true' }],
    ['a denial that Entra ID would outweigh', { email_verified: false, xms_edov: true }],
    ['a domain whose owner is unknown', { email_verified: undefined, xms_edov: false }],
    ['a session that has ended', { session_expiry: 1 }],
  ])('is refused with %s', (_, claims) => {
    expect(() => personOfClaims({ ...verified, ...claims }, anyDomain)).toThrow(/did not say enough/);
  });

  it.each([true, 1, '1'])('is taken from Entra ID where it knows the owner of the domain: %s', (xms_edov) => {
    expect(personOfClaims({ sub: '1', email: 'ada@example.com', xms_edov }, anyDomain).email).toBe('ada@example.com');
  });

  it('is of a domain that may sign in, and of no longer one', () => {
    const ours = { emailDomains: ['example.com', 'example.org'] };
    expect(personOfClaims(verified, ours).email).toBe('ada@example.com');
    for (const email of ['ada@sub.example.com', 'ada@example.com.evil.example', '"@example.com"@evil.example'])
      expect(() => personOfClaims({ ...verified, email }, ours)).toThrow();
  });

  it('is signed in until its session there ends', () => {
    const session_expiry = Math.floor(Date.now() / 1000) + 3600;
    expect(personOfClaims({ ...verified, session_expiry }, anyDomain).endsAt).toBe(session_expiry * 1000);
    expect(personOfClaims({ ...verified, session_expiry: 'never' }, anyDomain).endsAt).toBeUndefined();
  });
});

describe('the userinfo endpoint', () => {
  it('is asked where the ID token lacks an address, whether it is verified, or groups', () => {
    expect(lacksClaims(verified, {})).toBe(false);
    expect(lacksClaims({ sub: '1' }, {})).toBe(true);
    expect(lacksClaims({ sub: '1', email: 'ada@example.com' }, {})).toBe(true);
    expect(lacksClaims(verified, { groupsClaim: 'groups' })).toBe(true);
    expect(lacksClaims({ ...verified, groups: [] }, { groupsClaim: 'groups' })).toBe(false);
  });

  it('vouches for the address that it names alone, and changes nothing of the ID token', () => {
    const token = { sub: '1', email: 'victim@example.com', name: 'Ada' };
    const info = {
      sub: '1',
      email: 'ada@example.com',
      email_verified: true,
      xms_edov: true,
      name: 'Eve',
      groups: ['a'],
    };
    expect(withUserInfo(token, info)).toEqual({ ...token, groups: ['a'] });
    expect(withUserInfo({ sub: '1' }, info)).toEqual(info);
    expect(withUserInfo({ sub: '1', email: 'ada@example.com' }, info)).toMatchObject({ email_verified: true });
    expect(withUserInfo({ ...verified, email_verified: false }, { ...info, email: verified.email })).toMatchObject({
      email_verified: false,
    });
  });
});

describe('the groups of claims', () => {
  it('are the texts of a list, or one text', () => {
    expect(groupsOfClaims({ groups: ['a', 5, null, 'b', 'a'] }, 'groups')).toEqual(new Set(['a', 'b']));
    expect(groupsOfClaims({ groups: 'a' }, 'groups')).toEqual(new Set(['a']));
    expect(groupsOfClaims({}, 'groups')).toEqual(new Set());
    expect(groupsOfClaims({ groups: { a: true } }, 'groups')).toEqual(new Set());
  });

  it('are not taken for none where the provider says that they are too many to be sent', () => {
    expect(() => groupsOfClaims({ _claim_names: { groups: 'src1' } }, 'groups')).toThrow(/more groups than it sends/);
    expect(groupsOfClaims({ _claim_names: { others: 'src1' } }, 'groups')).toEqual(new Set());
    expect(() => groupsOfClaims({ groups: Array(1001).fill('a') }, 'groups')).toThrow(/more than 1000/);
  });
});
