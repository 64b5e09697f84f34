/** The parts of the editor that something may go wrong with. */
type Part = 'draft' | 'save' | 'file';

/** Says how the text stands. What is well is not read out each time; trouble is. */
export class Notes {
  private readonly troubles = new Map<Part, string>();

  constructor(
    private readonly status: HTMLElement,
    private readonly trouble: HTMLElement,
  ) {}

  /** Says that a part is well, and how. */
  show(part: Part, text: string): void {
    this.status.textContent = text;
    this.warn(part, '');
  }

  /** Says what is wrong with a part, until that is over; an empty text says that it is. What was under way before is not any more. */
  warn(part: Part, text: string): void {
    if (text === '') this.troubles.delete(part);
    else {
      this.troubles.set(part, text);
      if (part !== 'file') this.status.textContent = '';
    }
    // The draft and what is saved may have the same trouble.
    const whole = [...new Set(this.troubles.values())].join(' ');
    if (this.trouble.textContent !== whole) this.trouble.textContent = whole;
    this.trouble.hidden = whole === '';
  }
}
