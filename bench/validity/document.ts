import { writeDecisionTable, writeRejectedTable, writeSequenceTable } from './alarm-tables.ts';
import {
  writeJointTable,
  writeRatioTables,
  writeSampleTable,
  writeTailTable,
} from './coverage-tables.ts';
import { writePowerTable } from './power-table.ts';
import type { Judged, Results } from './results.ts';

/** Chance that a figure which is exactly at its bound lies more than two standard errors beyond. */
const missedByChance = 0.023;

/** docs/validity.md: tables in the order of the questions a reader has. */
export function writeDocument(results: Results, machine: string): string {
  // The tables judge their figures; the summary above them needs all.
  const sections = writeSections(results);
  return `# Validity

Does Rooflaw keep the promises that it prints? This page simulates campaigns in which the truth is
known and counts. It is written by a program, from fixed seeds:

    npm run validate

(\`node bench/validity.ts --write\`; without \`--write\` it goes to standard output.) The figures are the same
on every machine with this version of Node.
${machine}

${writeSummary(results.judged())}

${sections}
`;
}

function writeSummary(judged: readonly Judged[]): string {
  const missed = judged.filter((figure) => !figure.isMet);
  const worst = Math.max(...judged.map((figure) => figure.errorsBeyond));
  const list = missed
    .map(
      ({ where, errorsBeyond }) => `* ${where}: ${errorsBeyond.toFixed(1)} standard errors beyond`,
    )
    .join('\n');
  return `**${judged.length} figures are held against a promise, ${judged.length - missed.length} meet it, ${missed.length} miss it.**
The rule for each: a share of false alarms is at most its bound plus two standard errors, a coverage
at least what is printed less two. A method that is exactly at its bound misses this rule in 2.3 % of
cases by chance; if all of them were, about ${(missedByChance * judged.length).toFixed(0)} would miss. The largest distance on the wrong
side is ${worst.toFixed(1)} standard errors; beyond 4 the program fails. No seed was chosen.${
    missed.length === 0 ? '' : `\n\nMissed:\n\n${list}`
  }

In the tables every figure is a percentage of simulated campaigns ± its standard error. **MISSED** marks a
broken promise. *lost* and *too many* mark figures on the wrong side where nothing was promised, because
what the method assumes does not hold there: they are shown so that nobody relies on it.`;
}

function writeSections(results: Results): string {
  return `## What is simulated

Log times of a trial have normal noise with a standard deviation of 0.5 % unless the row says otherwise. Every
round runs all arms once in random order.

* 3 % linear drift: from the first trial of the campaign to the last.
* 1 % order effect: the last slot of a round is 1 % slower than the first, those between in proportion.
* Rounds vary together: each round has a shift of its own that all its trials share.
* Student t, 3 degrees: its scale is 0.5 %.
* Pareto spikes: one trial in ten is slower by 3 % or more; the excess has index 1.5, no finite variance.
* Two speeds: three trials in ten are 8 % slower.

\`2 arms\`: a campaign of the two that are compared, raw log times. \`24 arms\`: two of 24 are compared and
the round effects, estimated from the other 22, are removed.

## False alarms: a difference is declared where there is none

Decision (g) at p <= 0.05. Goal: 5 %.

${writeDecisionTable(results)}

The test asks for one thing: that the order inside each round was drawn at random. Drift, slots, tails and
speeds do not matter then. The last row shows what happens without it, with one arm always first and the other
always last: the order effect is declared a difference, and no statistic can tell. With n = 6 the attainable p are
2/64, 4/64, ..., so that the test is conservative.

### What is not used for decisions, and why

The same campaigns of 2 arms, n = 10.

${writeRejectedTable(results)}

Mann-Whitney and Welch's t take all trials as independent. A random order with an effect of the slot gives
one arm the slow slot more often by chance, which they do not know: twice as many false alarms as promised. Drift
and round effects that both arms share make them blind instead; far fewer alarms than 5 % means that real differences
are missed, too. Two intervals that do not overlap almost never give a false alarm and pay for it in the power table
below.

## Coverage of ratio intervals

B is really 2 % slower than A. Goal: the coverage that is printed with the interval. The target is the ratio
of the arms' medians.

${writeRatioTables(results)}

The first three hold wherever both arms are disturbed alike and the order is random; (c) loses an order effect and
doubles its width under drift and shared rounds. Where spikes strike one arm alone, B is not A shifted and the
median of paired ratios is not the ratio of medians: no promise is given, and Walsh loses a point. With n = 6 (g), (f)
and Walsh are the same interval, from the least to the largest paired ratio.

The widths are the other half. From n = 10 on (g) is about as narrow as any that keeps its promise; with n = 6 (c) is
narrower where trials are independent. (f) pays for assuming least, Walsh for spikes and, with n = 20, for two speeds.
With two speeds and ten rounds every interval is as wide as the gap between the speeds: the flag of two speeds says
more there than any ratio.

## Coverage of one item's interval

Order-statistic interval of a median, an item of a campaign of 24. It may be taken for two things: the median of this
campaign, and that of a device without the disturbance. Where they are the same, one row stands for both.

${writeSampleTable(results)}

This is the limit of every interval inside one campaign: it speaks of this campaign. Where the device drifts, or was
off as a whole on that day, it does not cover what another day would give, and more rounds make it narrower, not
truer. Ratios of arms in the same rounds do not have this fault.

### All items at once

Simultaneous intervals (Bonferroni) of 24 items.

${writeJointTable(results)}

The bound is for any dependence between items; independent ones would give 95.4163.

### The share of slow trials

Clopper-Pearson bounds of the share of trials above 1.05 x the median, taken as if the threshold were fixed. Goal: 95 %.

${writeTailTable(results)}

The threshold follows the sample's own median. With one speed, or with few slow trials, that costs nothing. Where many
trials are slow the median of a sample may be at the slow speed, none of its trials is then called slow, and bounds
would be wrong: with the flag of two speeds they are not given. What is given in the last row all the same comes from
samples with at most one trial of either speed, and with ten rounds it is wrong.

## Sequential decisions

Two equal arms, looked at after each of 30 rounds: how often is a difference declared in any of them? Goal: 5 %;
the exact errors are 3.8503 (S1) and 4.8386 (S2). What is left to 100 is the coverage of the sequence of intervals,
in all rounds at once.

${writeSequenceTable(results)}

The last column is the interval of a fixed number of rounds, looked at after each: what a person does who repeats until
it is significant. Rooflaw does not offer it.

## Power

How often is a real difference found, with 2 arms? (g): p <= 0.05 and the right direction. S1 and S2:
\`slower\` by more than the margin of 0.5 %, within 30 rounds; rounds are the mean, and an undecided campaign counts 30.

No disturbance:

${writePowerTable(results, 'still')}

3 % linear drift:

${writePowerTable(results, 'drift')}

Six rounds are the fewest in which S1 and S2 can decide, and from 5 % on they need hardly more. What is close to the
noise takes many rounds, often more than 30: with a noise of 2 % a difference of 2 % is found in less than half of the
campaigns. Drift costs (g), S1 and S2 next to nothing and costs the comparison of two intervals most of its power.

## What this does not show

The simulated disturbances are guesses at what devices do; a promise that holds for any distribution (the decision, S1,
S2, paired order statistics) needs no guess, the others do. Trials are independent but for the named effects: a device
that remembers the trial before (heat) within a round is not simulated. Nothing here speaks of another day, another
device, or of the truth of a time: only of what is concluded from times.`;
}
