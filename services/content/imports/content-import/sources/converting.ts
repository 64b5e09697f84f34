import { bounds, megabytes } from '../../../conversion/bounds.js';
import type { ConversionWork } from '../../../conversion/conversion-work.js';
import type { ConvertedPage, Flavour, GivenFile, PageFormat } from '../../../conversion/model.js';
import { refused } from '../../../conversion/refused.js';
import type { AskedRobots, RobotsAnswer } from '../../../conversion/robots.js';
import type { Progress } from '../progress.js';

interface Options {
  work: ConversionWork;
  organization: string;
  folder: string;
  progress: Progress;
}

export interface Convertible {
  file: GivenFile;
  format: PageFormat;
  flavour?: Flavour;
  included?: ReadonlyMap<string, string> | undefined;
}

/** Converts the pages of one import, one after the other, within what they may have together. */
export class Converting {
  /** Why the first page that failed did. */
  problem: string | undefined;
  private bytes = 0;
  private count = 0;

  constructor(private readonly options: Options) {}

  /** Throws 422 for a page that cannot be converted, and for too many. */
  async page({ file, format, flavour = 'plain', included }: Convertible): Promise<ConvertedPage> {
    const { work, organization, folder, progress } = this.options;
    progress.found(1);
    const name = `page-${this.count++}`;
    const page = await work.converted({ file, format, flavour, included, folder, name }, organization);
    this.bytes += Buffer.byteLength(page.markdown);
    if (this.bytes > bounds.allPages)
      throw refused(`url: the pages have more than ${megabytes(bounds.allPages)} of Markdown together`);
    await progress.tell();
    return page;
  }

  /** What the website of an import allows to be read. */
  robots(asked: AskedRobots): Promise<RobotsAnswer> {
    const { work, organization } = this.options;
    return work.robots(asked, organization);
  }

  /** Counts a page that could not be fetched. */
  async lost(): Promise<void> {
    this.options.progress.found(1);
    await this.options.progress.tell();
  }

  /** Takes a page off the count that turned out to be another one. */
  repeated(): void {
    this.options.progress.found(-1);
  }

  /** As `page`, for one of many: undefined where it cannot be converted, which is counted. */
  async pageOfMany(page: Convertible): Promise<ConvertedPage | undefined> {
    try {
      return await this.page(page);
    } catch (error) {
      if ((error as { type?: string }).type !== 'UNPROCESSABLE' || this.bytes > bounds.allPages) throw error;
      this.problem ??= (error as Error).message;
      return undefined;
    }
  }
}
