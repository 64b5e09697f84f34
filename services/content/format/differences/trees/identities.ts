/** Numbers texts: equal ones alike, and no others, which no hash of texts that strangers write promises. */
export class Identities {
  private readonly known = new Map<string, number>();

  of(text: string): number {
    const known = this.known.get(text);
    if (known !== undefined) return known;
    const made = this.known.size;
    this.known.set(text, made);
    return made;
  }
}
