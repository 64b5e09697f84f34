import { type FileHandle, open } from 'node:fs/promises';
import { dirname } from 'node:path';

/** The write-ahead log of a database file. SQLite would sync it in COMMIT, and the event loop would wait for the disk. */
export class WriteAheadLog {
  readonly #path: string;
  #file: FileHandle | undefined;

  /** `database` is the path of the database file. */
  constructor(database: string) {
    this.#path = `${database}-wal`;
  }

  /** Resolves when what was committed survives a power cut. Throws what the disk answers. */
  async sync(): Promise<void> {
    this.#file ??= await this.#open();
    await this.#file.datasync();
  }

  async close(): Promise<void> {
    await this.#file?.close();
  }

  /** The file's name is in its folder only once the folder is synced. */
  async #open(): Promise<FileHandle> {
    const folder = await open(dirname(this.#path));
    try {
      await folder.sync();
    } finally {
      await folder.close();
    }
    return open(this.#path, 'r+');
  }
}
