// Which characters does Unicode put into a class such as \p{Greek}?
//
// No tables are shipped: the JavaScript engine has them. A class is read from the engine's own \p{...} when a pattern
// first needs it, in a few milliseconds, and then kept. Unicode's version is therefore the engine's.
import { ANY_CHARACTER, type CharacterSet, complementOf, LAST_CHARACTER, setOfRanges } from "./character-set.ts";

/** The general categories as Go names them: its own keys, and Unicode's long names. */
const CATEGORIES =
  "C Cc Cf Cn Co Cs L LC Ll Lm Lo Lt Lu M Mc Me Mn N Nd Nl No P Pc Pd Pe Pf Pi Po Ps S Sc Sk Sm So Z Zl Zp Zs " +
  "Cased_Letter Close_Punctuation Combining_Mark Connector_Punctuation Control Currency_Symbol Dash_Punctuation " +
  "Decimal_Number Enclosing_Mark Final_Punctuation Format Initial_Punctuation Letter Letter_Number Line_Separator " +
  "Lowercase_Letter Mark Math_Symbol Modifier_Letter Modifier_Symbol Nonspacing_Mark Number Open_Punctuation Other " +
  "Other_Letter Other_Number Other_Punctuation Other_Symbol Paragraph_Separator Private_Use Punctuation Separator " +
  "Space_Separator Spacing_Mark Surrogate Symbol Titlecase_Letter Unassigned Uppercase_Letter cntrl digit punct";

/** The scripts that Go knows. */
const SCRIPTS =
  "Adlam Ahom Anatolian_Hieroglyphs Arabic Armenian Avestan Balinese Bamum Bassa_Vah Batak Bengali Bhaiksuki Bopomofo " +
  "Brahmi Braille Buginese Buhid Canadian_Aboriginal Carian Caucasian_Albanian Chakma Cham Cherokee Chorasmian Common " +
  "Coptic Cuneiform Cypriot Cypro_Minoan Cyrillic Deseret Devanagari Dives_Akuru Dogra Duployan Egyptian_Hieroglyphs " +
  "Elbasan Elymaic Ethiopic Georgian Glagolitic Gothic Grantha Greek Gujarati Gunjala_Gondi Gurmukhi Han Hangul " +
  "Hanifi_Rohingya Hanunoo Hatran Hebrew Hiragana Imperial_Aramaic Inherited Inscriptional_Pahlavi " +
  "Inscriptional_Parthian Javanese Kaithi Kannada Katakana Kawi Kayah_Li Kharoshthi Khitan_Small_Script Khmer Khojki " +
  "Khudawadi Lao Latin Lepcha Limbu Linear_A Linear_B Lisu Lycian Lydian Mahajani Makasar Malayalam Mandaic Manichaean " +
  "Marchen Masaram_Gondi Medefaidrin Meetei_Mayek Mende_Kikakui Meroitic_Cursive Meroitic_Hieroglyphs Miao Modi " +
  "Mongolian Mro Multani Myanmar Nabataean Nag_Mundari Nandinagari New_Tai_Lue Newa Nko Nushu Nyiakeng_Puachue_Hmong " +
  "Ogham Ol_Chiki Old_Hungarian Old_Italic Old_North_Arabian Old_Permic Old_Persian Old_Sogdian Old_South_Arabian " +
  "Old_Turkic Old_Uyghur Oriya Osage Osmanya Pahawh_Hmong Palmyrene Pau_Cin_Hau Phags_Pa Phoenician Psalter_Pahlavi " +
  "Rejang Runic Samaritan Saurashtra Sharada Shavian Siddham SignWriting Sinhala Sogdian Sora_Sompeng Soyombo Sundanese " +
  "Syloti_Nagri Syriac Tagalog Tagbanwa Tai_Le Tai_Tham Tai_Viet Takri Tamil Tangsa Tangut Telugu Thaana Thai Tibetan " +
  "Tifinagh Tirhuta Toto Ugaritic Vai Vithkuqi Wancho Warang_Citi Yezidi Yi Zanabazar_Square";

/** The engine's notation for each name, without the `\p`. */
let notations: ReadonlyMap<string, string> | undefined;

/** What was read from the engine, by the notation. */
const known = new Map<string, CharacterSet>();

/** The class of that name, if Go knows it. */
export function unicodeClass(name: string): CharacterSet | undefined {
  if (/[^ -~]/.test(name)) return undefined; // some characters have an ASCII letter as their other case
  const plain = plainName(name);
  if (plain === "Any") return ANY_CHARACTER;
  if (plain === "Ascii") return Int32Array.of(0, 0x7f);
  if (plain === "Assigned") return complementOf(charactersWith("{gc=Cn}"));
  notations ??= readNotations();
  // Go takes a script of several words by its exact name up to 1.24; later versions drop the _ and then miss it.
  const notation = notations.get(plain) ?? notations.get(name);
  return notation === undefined ? undefined : charactersWith(notation);
}

/** Go ignores case, spaces, hyphens and underscores: `uppercase letter` is Uppercaseletter. */
function plainName(name: string): string {
  const letters = name.replace(/[-_ ]/g, "");
  return letters.slice(0, 1).toUpperCase() + letters.slice(1).toLowerCase();
}

function readNotations(): ReadonlyMap<string, string> {
  const all = new Map<string, string>();
  for (const script of SCRIPTS.split(" ")) all.set(script, `{sc=${script}}`);
  for (const category of CATEGORIES.split(" ")) all.set(plainName(category), `{gc=${category}}`);
  return all;
}

/** The characters that the engine's `\p` and this notation match. */
export function charactersWith(notation: string): CharacterSet {
  let set = known.get(notation);
  if (set === undefined) {
    set = readFromEngine(notation);
    known.set(notation, set);
  }
  return set;
}

/** Where characters differ from each other, in whole steps. */
const ASSIGNED: readonly (readonly [first: number, last: number])[] = [
  [0, 0xd7ff],
  [0xf800, 0xffff],
  [0x10000, 0x3ffff],
  [0xe0000, 0xe0fff],
];

/** Where all are alike: surrogates, private use, planes without characters, noncharacters. */
const ALIKE: readonly (readonly [first: number, last: number])[] = [
  [0xd800, 0xdfff],
  [0xe000, 0xf7ff],
  [0x40000, 0xdffff],
  [0xe1000, 0xeffff],
  [0xf0000, 0xffffd],
  [0xffffe, 0xfffff],
  [0x100000, 0x10fffd],
  [0x10fffe, LAST_CHARACTER],
];

/** How many characters the engine tries at once. */
const STEP = 0x400;

/** Characters in a row. */
interface Row {
  readonly first: number;
  readonly text: string;
}

/** All that differ, kept for the next class (1 MB): writing them down takes longer than reading them. */
let rows: readonly Row[] | undefined;

function readFromEngine(notation: string): CharacterSet {
  const inside = new RegExp(`\\p${notation}*`, "uy");
  const outside = new RegExp(`\\P${notation}*`, "uy");
  const ranges: number[] = [];
  rows ??= writeRows();
  for (const { first, text } of rows) {
    const units = first > 0xffff ? 2 : 1;
    for (let at = 0; at < text.length; ) {
      const begin = endOfMatch(outside, text, at);
      at = endOfMatch(inside, text, begin);
      if (at > begin) ranges.push(first + begin / units, first + at / units - 1);
    }
  }
  for (const [first, last] of ALIKE) {
    if (endOfMatch(inside, String.fromCodePoint(first), 0) > 0) ranges.push(first, last);
  }
  return setOfRanges(ranges);
}

function writeRows(): readonly Row[] {
  const written: Row[] = [];
  for (const [begin, end] of ASSIGNED) {
    for (let first = begin; first <= end; first += STEP) {
      const codePoints = Array.from({ length: STEP }, (_, index) => first + index);
      written.push({ first, text: String.fromCodePoint(...codePoints) });
    }
  }
  return written;
}

function endOfMatch(sticky: RegExp, text: string, begin: number): number {
  sticky.lastIndex = begin;
  sticky.test(text);
  return sticky.lastIndex;
}
