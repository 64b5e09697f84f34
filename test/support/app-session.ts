import { type AppBrowser, type Screen, signedIn } from './app-browser.js';
import type { Client } from './server.js';

/** A person who goes from screen to screen. */
export class AppSession {
  private screen: Screen | undefined;

  constructor(private readonly browser: AppBrowser) {}

  async open(path: string): Promise<this> {
    this.screen = await this.browser.open(path);
    return this;
  }

  /** Fills in and sends the form of the screen for an action; with other fields where several do. */
  async submit(
    { action, where = {} }: { action: string; where?: Record<string, string> },
    values: Parameters<AppBrowser['submit']>[2] = {},
  ): Promise<this> {
    const { shown } = this;
    this.screen = await this.browser.submit(shown, shown.form(action, where), { action, ...values });
    return this;
  }

  /** Whether the screen has a form for an action, with such fields. */
  offers(action: string, where: Record<string, string> = {}): boolean {
    return this.shown
      .forms()
      .some(
        ({ fields, buttons }) =>
          (fields.action === action || buttons.some(({ value }) => value === action)) &&
          Object.entries(where).every(([name, value]) => fields[name] === value),
      );
  }

  get status(): number {
    return this.shown.status;
  }

  /** The path with its query. */
  get path(): string {
    return this.shown.url.pathname + this.shown.url.search;
  }

  get text(): string {
    return this.shown.text;
  }

  get html(): string {
    return this.shown.html;
  }

  get notices(): string[] {
    return this.shown.notices();
  }

  links(): string[] {
    return this.shown.links();
  }

  private get shown(): Screen {
    if (!this.screen) throw new Error('no screen is open');
    return this.screen;
  }
}

/** A person who signed in with an API token. */
export const openSession = async (server: Pick<Client, 'url'>, token: string): Promise<AppSession> =>
  new AppSession(await signedIn(server, token));
