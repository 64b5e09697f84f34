import { execFileSync } from 'node:child_process';
import { readConfig } from '../../../shared/settings/config.js';
import { firstStartBanner } from './banner.js';

const site = 'http://127.0.0.1:4000/sites/site_SPACE/';
const link = 'http://127.0.0.1:4000/app/sign-in?code=CODE';
const first = {
  organization: 'ORG',
  email: 'ada@example.com',
  space: 'SPACE',
  made: { token: 'bnd_made', link },
};

/** Splits the commands into words as a shell does. */
const commands = (text: string, env: Record<string, string> = {}) =>
  text
    .split('\n')
    .filter((line) => line.trim().startsWith('curl '))
    .map((line) =>
      execFileSync('sh', ['-c', `printf '%s|' ${line.trim()}`], { env })
        .toString()
        .split('|')
        .slice(0, -1),
    );

describe('the banner', () => {
  it('has commands with the token, below the path of BASE_URL', () => {
    const { baseUrl } = readConfig({ BASE_URL: 'https://example.com/docs/' });
    expect(commands(firstStartBanner({ baseUrl, first, handbook: true, site }))).toEqual([
      ['curl', '-H', 'Authorization: Bearer bnd_made', 'https://example.com/docs/v1/user'],
      ['curl', '-H', 'Authorization: Bearer bnd_made', 'https://example.com/docs/v1/spaces/SPACE/content/pages'],
    ]);
  });

  it('has commands for a token and an address of any characters', () => {
    const token = `it's "a" $HOME \`token\``.replaceAll(' ', '\\');
    const { baseUrl } = readConfig({ BASE_URL: "https://example.com/it's&this;that" });
    const [user] = commands(firstStartBanner({ baseUrl, first: { ...first, made: null }, handbook: true, site }), {
      BOOTSTRAP_TOKEN: token,
    });
    expect(user?.slice(2)).toEqual([`Authorization: Bearer ${token}`, "https://example.com/it's&this;that/v1/user"]);
  });

  it('has no secret where the token is set: a command makes the link', () => {
    const odd = { ...first, email: "o'neill@example.com", made: null };
    const text = firstStartBanner({ baseUrl: 'http://127.0.0.1:4000', first: odd, handbook: true, site });
    expect(text).not.toMatch(/code=|bnd_/);
    expect(text).toContain("\n    npm run token -- link --email 'o'\\''neill@example.com'\n");
  });

  it('names, outside of commands, only addresses that a browser opens', () => {
    const bare = firstStartBanner({ baseUrl: readConfig({}).baseUrl, first, handbook: true, site })
      .split('\n')
      .filter((line) => !line.includes('curl'));
    expect(bare.join('\n').match(/http:\S+/g)).toEqual([
      'http://127.0.0.1:4000/app/sign-in?code=CODE',
      'http://127.0.0.1:4000',
      'http://127.0.0.1:4000/docs',
      site,
    ]);
  });

  it('names the handbook that needs no site where the site of it is not there', () => {
    const text = firstStartBanner({ baseUrl: 'http://127.0.0.1:4000', first, handbook: true, site: null });
    expect(text).toContain('    Handbook      http://127.0.0.1:4000/handbook\n');
    expect(text).not.toContain('/sites/');
  });
});
