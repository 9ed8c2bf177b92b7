import { z } from 'zod';
import { sha256Schema } from './architecture.ts';

/**
 * What `rooflaw import llama-bench --json` prints, format 1: every test of llama-bench's output with
 * its statistics recomputed from the samples, and what of the tool's own figures is wrong. One
 * process gave all samples of a test. Names as in llama-bench's columns are kept as they are.
 */
const count = z.int().min(0);
const nanoseconds = z.number().min(0);
const perSecond = z.number().min(0);

/** The output format, by llama-bench's own name for it (`-o`). */
export const llamaBenchLayoutSchema = z.enum(['json', 'jsonl', 'csv', 'sql', 'md']);
export type LlamaBenchLayout = z.infer<typeof llamaBenchLayoutSchema>;

export const findingSchema = z.strictObject({
  code: z.enum([
    /** A printed figure is not what the samples give. */
    'wrong-figure',
    /** The same, by less than a thousandth. */
    'inexact-figure',
    /** Printed figures that no samples can give together. */
    'impossible-figures',
    /** The deviation of one repetition, or a figure that is no number. */
    'unknown-figure',
    'no-samples',
    'start-transient',
    /** The mean of the rates is not the rate over the mean time. */
    'rates-differ',
    'samples-disagree',
    'same-condition',
    'same-row',
    'unknown-columns',
    'invalid-text',
  ]),
  /** `wrong`: what the file says must not be used; `notice`: to know when using it. */
  severity: z.enum(['wrong', 'notice']),
  /** The column concerned, if it is one. */
  column: z.string().nullable(),
  text: z.string(),
});
export type LlamaBenchFinding = z.infer<typeof findingSchema>;

/** Statistics of one test's samples. */
export const sampleStatisticsSchema = z.strictObject({
  n: z.int().min(1),
  /** The exact sum, in decimal digits: it may be beyond 2^53. */
  sumNs: z.string().regex(/^\d+$/),
  meanNs: nanoseconds,
  /** With ddof 1; null for one sample. */
  sdNs: nanoseconds.nullable(),
  cv: z.strictObject({ value: z.number().min(0), ddof: z.literal(1) }).nullable(),
  medianNs: nanoseconds,
  minNs: nanoseconds,
  maxNs: nanoseconds,
  tokensPerSecond: z.strictObject({
    /** The mean of each sample's tokens per second: what llama-bench calls avg_ts. */
    meanOfRates: perSecond,
    /** Of those rates, with ddof 1. */
    sdOfRates: perSecond.nullable(),
    /** Tokens over the mean time: what so many repetitions really took. */
    overMeanTime: perSecond,
  }),
});
export type SampleStatistics = z.infer<typeof sampleStatisticsSchema>;

export const printedFigureSchema = z.strictObject({
  /** As it stands in the file. */
  text: z.string(),
  /** null where the text is no number, or a deviation that means unknown. */
  value: z.number().nullable(),
  verdict: z.enum([
    /** Right to the last digit printed. */
    'confirmed',
    /** Off by less than a thousandth, but by more than its rounding. */
    'inexact',
    'wrong',
    /** No samples to recompute it from. */
    'unchecked',
    /** Nothing is known: `value` is null. */
    'unknown',
  ]),
  /** What the samples give. */
  right: z.number().nullable(),
  /** value / right - 1. */
  relativeError: z.number().nullable(),
  cause: z
    .enum([
      /** The tool's sum of squares went beyond 2^64. */
      'integer-overflow',
      /** The tool's mean had lost its fraction before it was squared. */
      'truncated-mean',
      /** The tool's difference of two large rounded numbers. */
      'cancellation',
      /** Not what the tool's own arithmetic gives for these samples. */
      'unexplained',
    ])
    .nullable(),
});
export type PrintedFigure = z.infer<typeof printedFigureSchema>;

export const startTransientSchema = z.strictObject({
  /** How many samples at the start differ from all that follow. */
  count: z.int().min(1),
  direction: z.enum(['slower', 'faster']),
  /** Each of them is beyond this factor of every later sample. */
  threshold: z.number().gt(1),
  /** The first sample over the median of the later ones. */
  firstOverRest: z.number().positive(),
  /** Information only: no sample is dropped. */
  rest: sampleStatisticsSchema,
});
export type StartTransient = z.infer<typeof startTransientSchema>;

export const llamaBenchRunSchema = z.strictObject({
  /** Its place among the file's rows, from 1; lost ones are counted. */
  row: z.int().min(1),
  line: z.int().min(1),
  /** Index into `conditions`. */
  condition: count,
  /** As llama-bench names it: `pp512`, `tg128 @ d4096`. */
  test: z.string(),
  promptTokens: count,
  generatedTokens: count,
  /** Tokens in the cache before; null in files of versions that did not know it. */
  depthTokens: count.nullable(),
  testTime: z.string().nullable(),
  samplesNs: z.array(z.int().min(1)).nullable(),
  statistics: sampleStatisticsSchema.nullable(),
  /** null for columns that the file does not have. */
  printed: z.strictObject({
    avg_ns: printedFigureSchema.nullable(),
    stddev_ns: printedFigureSchema.nullable(),
    avg_ts: printedFigureSchema.nullable(),
    stddev_ts: printedFigureSchema.nullable(),
  }),
  startTransient: startTransientSchema.nullable(),
  /** Always null: one process says nothing about other ones. */
  interval: z.null(),
  /** Why a field above is null. */
  missing: z.array(z.strictObject({ field: z.string(), reason: z.string() })),
  findings: z.array(findingSchema),
});
export type LlamaBenchRun = z.infer<typeof llamaBenchRunSchema>;

export const llamaBenchImportSchema = z.strictObject({
  format: z.literal('rooflaw-llama-bench-import'),
  formatVersion: z.literal(1),
  source: z.strictObject({
    name: z.string(),
    sha256: sha256Schema,
    bytes: count,
    encoding: z.enum(['utf-8', 'utf-16le', 'utf-16be']),
    layout: llamaBenchLayoutSchema,
    /** `content`: found out; `option`: said by the person. */
    layoutFrom: z.enum(['content', 'option']),
  }),
  /** What these numbers cannot say, whatever they are. */
  limits: z.array(z.string()).min(1),
  /** What a crash or a fault of the file took. */
  losses: z.array(z.strictObject({ line: z.int().min(1), bytes: count, what: z.string() })),
  /** Text between the results that is none, by its beginning. */
  ignored: z.array(z.strictObject({ line: z.int().min(1), bytes: count, text: z.string() })),
  /** Columns that no known version of llama-bench writes; they are part of the condition. */
  unknownColumns: z.array(z.string()),
  conditions: z.array(
    z.strictObject({
      /** SHA-256 of the canonical JSON of `fields`. */
      key: sha256Schema,
      /** Every column but the results, as text; true and false are 1 and 0 as in CSV. */
      fields: z.record(z.string(), z.string()),
      /** Indices into `runs`. Several are several runs: they are never merged. */
      runs: z.array(count).min(1),
    }),
  ),
  runs: z.array(llamaBenchRunSchema).min(1),
  /** About the file as a whole. */
  findings: z.array(findingSchema),
});
export type LlamaBenchImport = z.infer<typeof llamaBenchImportSchema>;
