import { type HtmlElement, identityOfAll, isHtmlElement, textOf, withClass } from '../trees/trees.js';
import { alignLists } from './alignment.js';
import { commonTrees, joinMerged, type Lot, lotOfTrees, type MergedTrees, type TreeMerging } from './merging.js';
import { type Bag, bagOfWords, commonPart } from './words.js';

/** A button, its label and its panel. */
interface Tab {
  input: HtmlElement;
  label: HtmlElement;
  panel: HtmlElement;
  identity: number;
  /** In its panel. */
  words: Bag;
}

/** Characters that likeness is judged by. */
const maxCompared = 2000;

/** The children of tabs as one: each tab keeps its three parts, and its label says whether its panel changed. */
export function mergeTabs(merging: TreeMerging, before: HtmlElement, after: HtmlElement): MergedTrees {
  const [was, is] = [tabsIn(before, merging), tabsIn(after, merging)];
  const group = is[0]?.input.attributes.name;
  const steps = alignLists(was, is, { budget: merging.budget, likeness: likenessOfTabs });
  return joinMerged(
    steps.map(({ before: at = -1, after: sideAt = -1, isSame }) => {
      const [earlier, later] = [was[at], is[sideAt]];
      if (later && isSame) return commonTrees([later.input, later.label, later.panel]);
      if (earlier && later) return mergeTab(merging, earlier, later);
      const [only, lot] = later ? ([later, 'added'] as const) : ([earlier as Tab, 'removed'] as const);
      return lotOfTab(only, lot, group);
    }),
  );
}

function tabsIn({ children }: HtmlElement, { identities }: TreeMerging): Tab[] {
  const tabs: Tab[] = [];
  const elements = children.filter(isHtmlElement);
  for (let at = 0; at + 2 < elements.length; at += 3) {
    const [input, label, panel] = elements.slice(at, at + 3) as [HtmlElement, HtmlElement, HtmlElement];
    const words = bagOfWords(textOf([panel], maxCompared));
    tabs.push({ input, label, panel, identity: identityOfAll([label, panel], identities), words });
  }
  return tabs;
}

function likenessOfTabs(before: Tab, after: Tab): number {
  if (before.label.identity === after.label.identity) return 2;
  return commonPart(before.words, after.words);
}

function mergeTab(merging: TreeMerging, before: Tab, after: Tab): MergedTrees {
  const label = merging.mergeLists(merging, before.label.children, after.label.children);
  const panel = merging.mergeLists(merging, before.panel.children, after.panel.children);
  const shown = { ...after.label, children: label.trees };
  const { trees: _, ...merged } = joinMerged([label, panel]);
  return {
    ...merged,
    trees: [
      after.input,
      panel.isMarked ? withClass(shown, 'changed') : shown,
      { ...after.panel, children: panel.trees },
    ],
  };
}

/** A tab of one side, in the group of the later one. */
function lotOfTab({ input, label, panel }: Tab, lot: Lot, group: unknown): MergedTrees {
  const button = group === undefined ? input : { ...input, attributes: { ...input.attributes, name: group } };
  const marked = lotOfTrees([label, panel], lot);
  return { ...marked, trees: [button, ...marked.trees] };
}
