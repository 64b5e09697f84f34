import { createReadStream } from 'node:fs';
import type { Blobs } from '../../../../shared/blobs/port.js';
import { conflict, markLasting, notFound } from '../../../../shared/errors/errors.js';
import { again } from '../../../../shared/store/again.js';
import {
  type Collection,
  type Document,
  eachDocument,
  type Store,
  StoreConflict,
  type Write,
  write,
} from '../../../../shared/store/port.js';
import { sha256InSlices, timestamp } from '../../../../shared/values/ids.js';
import { chunks, pageDocuments } from '../revisions/model.js';
import { type BlobUseDocument, blobCounts, blobUseId, blobUses, usages } from './model.js';

/** The owner of stored content. */
export interface Owner {
  organization: string;
  /** The id of a space, or of an OpenAPI specification. */
  space: string;
}

/** A file on the disk: a large one is not held in memory. */
export interface FileOnDisk {
  file: string;
  /** Bytes. */
  size: number;
  sha256: string;
}

/** Bytes of a document as JSON, without the names of anchors, which a page gets later. */
export const documentBytes = (document: Document & { aliases?: unknown }): number =>
  Buffer.byteLength(JSON.stringify({ ...document, aliases: undefined }));

const megabytesText = (bytes: number) => `${Math.ceil(bytes / 1_000_000)} MB`;

/**
 * Counts what spaces store, in the batch that stores it: the documents of all their revisions as JSON, and their files; and the files
 * of OpenAPI specifications. A space
 * counts a file once; spaces that hold the same file count it each, although it is stored once.
 */
export class Ledger {
  constructor(
    private readonly store: Store,
    private readonly blobs: Blobs,
    /** Bytes that an organization may store; 0: no limit. */
    readonly quota: number,
  ) {}

  async usedBytesOf(organization: string): Promise<number> {
    return (await this.store.get(usages, organization))?.bytes ?? 0;
  }

  /** Begins to count a space, with what an earlier version stored of it. Nothing else may write content of the space meanwhile. */
  async openUsage({ organization, space }: Owner): Promise<void> {
    const known = await this.store.getMany(usages, [organization, space], { fields: ['kind'] });
    if (known.length === 2) return;
    await this.store.upsert(
      usages,
      { _id: organization },
      { $setOnInsert: { organization, kind: 'organization', bytes: 0 } },
    );
    if (known.some(({ kind }) => kind === 'space')) return;
    const bytes = await this.recountSpace(space);
    await this.store.batch([
      write.insert(usages, { _id: space, organization, kind: 'space', bytes }),
      write.update(usages, { _id: organization }, { $inc: { bytes } }, { expect: 1 }),
    ]);
  }

  private async recountSpace(space: string): Promise<number> {
    const { store } = this;
    let bytes = 0;
    for await (const document of eachDocument(store, pageDocuments, { space })) bytes += documentBytes(document);
    for await (const chunk of eachDocument(store, chunks, { space })) {
      bytes += documentBytes(chunk);
      for (const { blob, size } of chunk.files ?? [])
        if (!(await store.get(blobUses, blobUseId(space, blob)))) await store.batch(useWrites(space, blob, size));
    }
    for await (const use of eachDocument(store, blobUses, { space })) bytes += use.bytes;
    return bytes;
  }

  /** Stores what has these bytes: `writes`, together with the count. Throws a CONFLICT that is shown to people when the quota does not suffice. */
  async addCounted({ organization, space }: Owner, bytes: number, writes: Write[]): Promise<void> {
    const within = this.quota > 0 ? { bytes: { $lte: this.quota - bytes } } : {};
    try {
      await this.store.batch([
        ...writes,
        write.update(usages, { _id: organization, ...within }, { $inc: { bytes } }, { expect: 1 }),
        // A space that was transferred meanwhile is counted in another organization.
        write.update(usages, { _id: space, organization }, { $inc: { bytes } }, { expect: 1 }),
      ]);
    } catch (error) {
      if (error instanceof StoreConflict) await this.checkRoom(organization, bytes);
      throw error;
    }
  }

  /** Throws a CONFLICT if an organization has no room for `bytes` more. */
  async checkRoom(organization: string, bytes: number): Promise<void> {
    if (this.quota === 0) return;
    const used = await this.usedBytesOf(organization);
    if (used + bytes <= this.quota) return;
    const text = `The organization has no room left: it stores ${megabytesText(used)} of the ${megabytesText(this.quota)} that it may; delete spaces, or ask the operator of this server for more`;
    throw markLasting(conflict(text, 'quota_exceeded'));
  }

  /** Stores those of the documents, which never change, that the space does not have yet. */
  async addDocuments<D extends Document>(owner: Owner, collection: Collection<D>, documents: D[]): Promise<void> {
    if (documents.length === 0) return;
    const missing = async () => {
      const ids = documents.map(({ _id }) => _id);
      const known = new Set((await this.store.getMany(collection, ids, { fields: [] })).map(({ _id }) => _id));
      return documents.filter(({ _id }) => !known.has(_id));
    };
    const add = async () => {
      const added = await missing();
      if (added.length === 0) return;
      const bytes = added.reduce((sum, document) => sum + documentBytes(document), 0);
      await this.addCounted(owner, bytes, [write.insertMany(collection, added)]);
    };
    // Another writer may store the same at the same time.
    await again(add, { duplicates: true });
  }

  /** Notes that a space uses files that another one has, each once. */
  async addUses(owner: Owner, files: readonly { blob: string; size: number }[]): Promise<void> {
    const { space } = owner;
    const sizes = new Map(files.map(({ blob, size }) => [blob, size]));
    const ids = [...sizes.keys()].map((blob) => blobUseId(space, blob));
    const known = new Set((await this.store.getMany(blobUses, ids)).map(({ blob }) => blob));
    const added = [...sizes].filter(([blob]) => !known.has(blob));
    const bytes = added.reduce((sum, [, size]) => sum + size, 0);
    if (added.length > 0)
      await this.addCounted(
        owner,
        bytes,
        added.flatMap(([blob, size]) => useWrites(space, blob, size)),
      );
  }

  /** Notes that an owner uses content that is stored already, which does not expire any more. Throws 404 where it is gone. */
  async keepBlob(owner: Owner, { blob, size }: { blob: string; size: number }): Promise<void> {
    await this.addFileUse(owner, { blob, size });
    const content = await this.blobs.open(blob);
    if (!content) throw notFound('File');
    await this.blobs.put(content);
  }

  /** Stores a file of a space, and returns the id of its blob. Its use is noted first, so that it is not collected meanwhile. */
  async addFile(owner: Owner, content: Buffer | FileOnDisk): Promise<string> {
    const isRead = Buffer.isBuffer(content);
    const [blob, size] = isRead ? [await sha256InSlices(content), content.length] : [content.sha256, content.size];
    await this.addFileUse(owner, { blob, size });
    await this.blobs.put(isRead ? content : createReadStream(content.file));
    return blob;
  }

  /** Notes that a space uses a file, which another one may have stored. */
  async addFileUse(owner: Owner, { blob, size }: { blob: string; size: number }): Promise<void> {
    const { space } = owner;
    const use = async () => {
      if (!(await this.store.get(blobUses, blobUseId(space, blob))))
        await this.addCounted(owner, size, useWrites(space, blob, size));
    };
    await again(use, { duplicates: true });
  }

  /**
   * The writes that count spaces in another organization. They fail when something was stored meanwhile; whoever writes content of the
   * spaces begins again after them. Throws a CONFLICT if the organization has no room.
   */
  async transferWrites(spaces: string[], { from, to }: { from: string; to: string }): Promise<Write[]> {
    for (const space of spaces) await this.openUsage({ organization: from, space });
    await this.store.upsert(
      usages,
      { _id: to },
      { $setOnInsert: { organization: to, kind: 'organization', bytes: 0 } },
    );
    const counted = await this.store.getMany(usages, spaces);
    const total = counted.reduce((sum, { bytes }) => sum + bytes, 0);
    await this.checkRoom(to, total);
    return [
      write.update(usages, { _id: from }, { $inc: { bytes: -total } }, { expect: 1 }),
      write.update(usages, { _id: to }, { $inc: { bytes: total } }, { expect: 1 }),
      ...counted.map(({ _id, bytes }) =>
        write.update(
          usages,
          { _id, organization: from, bytes },
          { $set: { organization: to }, $inc: { commits: 1, sweeps: 1 } },
          { expect: 1 },
        ),
      ),
    ];
  }

  /** Takes what is no longer stored off the count, together with `writes`, which remove it. */
  async removeCounted({ organization, space }: Owner, bytes: number, writes: Write[]): Promise<void> {
    await this.store.batch([
      ...writes,
      write.update(usages, { _id: organization }, { $inc: { bytes: -bytes } }),
      write.update(usages, { _id: space }, { $inc: { bytes: -bytes } }),
    ]);
  }

  /** How often unreached content of a space was removed so far. */
  async readSweeps(space: string): Promise<number> {
    return (await this.store.get(usages, space, { fields: ['sweeps'] }))?.sweeps ?? 0;
  }

  /**
   * The write that notes, in the batch that makes content reachable, that it does. It fails when content was removed after `sweeps`
   * were counted: what the batch refers to may be gone.
   */
  commitCheck(space: string, sweeps?: number): Write {
    const since = sweeps === undefined ? {} : { sweeps: sweeps === 0 ? { $in: [0, null] } : sweeps };
    return write.update(usages, { _id: space, ...since }, { $inc: { commits: 1 } }, { expect: 1 });
  }

  async removeBlobUses(owner: Owner, uses: BlobUseDocument[], writes: Write[]): Promise<void> {
    const bytes = uses.reduce((sum, use) => sum + use.bytes, 0);
    await this.removeCounted(owner, bytes, [...writes, ...uses.flatMap(endUseWrites)]);
  }
}

/** Fails while the blob is being deleted; a later attempt stores it again. */
const useWrites = (space: string, blob: string, bytes: number): Write[] => [
  write.check(blobCounts, { _id: blob, deleting: true }, 0),
  write.insert(blobUses, { _id: blobUseId(space, blob), space, blob, bytes }),
  write.upsert(blobCounts, { _id: blob }, { $inc: { uses: 1 }, $unset: { unusedSince: true } }),
];

const endUseWrites = ({ _id, blob }: BlobUseDocument): Write[] => [
  write.delete(blobUses, { _id }, { expect: 1 }),
  write.update(blobCounts, { _id: blob }, { $inc: { uses: -1 }, $set: { unusedSince: timestamp() } }, { expect: 1 }),
];

export type HasLedger = { ledger: Ledger };
