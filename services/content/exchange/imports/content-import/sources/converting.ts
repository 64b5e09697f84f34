import { bounds, megabytesText } from '../../../conversion/bounds.js';
import type { ConversionWork } from '../../../conversion/conversion-work.js';
import type { ConvertedPage, Flavour, GivenFile, PageFormat } from '../../../conversion/model.js';
import { refusal } from '../../../conversion/refused.js';
import type { AskedRobots, RobotsAnswer } from '../../../conversion/robots.js';
import { type Problem, problemsShown } from '../../problems.js';
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
  included?: ReadonlyMap<string, GivenFile> | undefined;
}

const max = `${megabytesText(bounds.allPages)} of Markdown, or ${bounds.allLinks.toLocaleString('en')} links and anchors,`;

/** Converts the pages of one import, one after the other, within what they may have together. */
export class PageConverter {
  /** Reasons why pages were left out, by their path or address; only the first ones are kept. */
  readonly problems: Problem[] = [];
  private bytes = 0;
  private links = 0;
  private images = 0;
  private count = 0;

  constructor(private readonly options: Options) {}

  /** Throws 422 for a page that cannot be converted, and for too many. */
  async convertPage({ file, format, flavour = 'plain', included }: Convertible): Promise<ConvertedPage> {
    const { work, organization, folder, progress } = this.options;
    progress.addToTotal(1);
    const name = `page-${this.count++}`;
    const maxImages = bounds.files - this.images;
    const page = await work.converted({ file, format, flavour, included, folder, name, maxImages }, organization);
    this.bytes += Buffer.byteLength(page.markdown);
    this.links += page.places.length + (page.ids?.size ?? 0);
    this.images += page.inline.length;
    if (this.isFull) throw refusal(`url: the pages have more than ${max} together`);
    await progress.saveCounts();
    return page;
  }

  /** Why the first page that failed did, as the error of an import without any other page. */
  get problem(): string | undefined {
    const [first] = this.problems;
    return first && `url: ${first.path}: ${first.message}`;
  }

  private get isFull(): boolean {
    return this.bytes > bounds.allPages || this.links > bounds.allLinks;
  }

  /** Asks which addresses the website of an import allows to be read. */
  askRobots(asked: AskedRobots): Promise<RobotsAnswer> {
    const { work, organization } = this.options;
    return work.robots(asked, organization);
  }

  /** Counts a page that could not be fetched. */
  async countLost(): Promise<void> {
    this.options.progress.addToTotal(1);
    await this.options.progress.saveCounts();
  }

  /** Takes a page off the count that turned out to be another one. */
  uncountRepeated(): void {
    this.options.progress.addToTotal(-1);
  }

  /** As `convertPage`, for one of many: undefined where it cannot be converted, which is counted. */
  async convertOneOfMany(page: Convertible): Promise<ConvertedPage | undefined> {
    try {
      return await this.convertPage(page);
    } catch (error) {
      if ((error as { type?: string }).type !== 'UNPROCESSABLE' || this.isFull) throw error;
      const message = (error as Error).message.replace(/^url: /, '');
      if (this.problems.length < problemsShown) this.problems.push({ path: page.file.path.slice(0, 200), message });
      return undefined;
    }
  }
}
