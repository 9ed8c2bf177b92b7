import { expect, test } from 'vitest';
import { importLlamaBench } from '../../src/llama-bench/import-llama-bench.ts';
import { formatRows, importText } from './bench-output.ts';

const samples = (ns: number) => ({ samples_ns: `[ ${ns}, ${ns + 1}, ${ns + 2} ]` });

test('a column that no version knows is part of the condition and is named', () => {
  const { conditions, unknownColumns, findings } = importText(
    formatRows(
      { ...samples(1000), turbo: '1' },
      { ...samples(2000), turbo: '2' },
      { ...samples(3000), turbo: '[1, 2]' },
    ),
  );
  expect(unknownColumns).toEqual(['turbo']);
  expect(conditions.map(({ fields }) => fields.turbo)).toEqual(['1', '2', '[1, 2]']);
  expect(conditions.map(({ runs }) => runs)).toEqual([[0], [1], [2]]);
  expect(findings[0]).toMatchObject({ code: 'unknown-columns', severity: 'notice' });
  expect(findings[0]?.text).toContain('(turbo)');
});

test('two rows of one condition stay two runs', () => {
  const { conditions, runs, findings } = importText(formatRows(samples(1000), samples(2000)));
  expect(conditions).toHaveLength(1);
  expect(conditions[0]?.runs).toEqual([0, 1]);
  expect(runs.map(({ statistics }) => statistics?.medianNs)).toEqual([1001, 2001]);
  expect(findings).toMatchObject([
    {
      code: 'same-condition',
      severity: 'notice',
      text: 'rows 1, 2 have the same condition; they stay 2 runs and are not pooled',
    },
  ]);
});

test('a copied row is told from a second run', () => {
  const { findings } = importText(formatRows(samples(1000), samples(2000), samples(1000)));
  expect(findings.map(({ code }) => code)).toEqual(['same-condition', 'same-row']);
  expect(findings[1]).toMatchObject({ severity: 'wrong' });
  expect(findings[1]?.text).toContain('rows 1, 3 are the same to the last digit');
});

test('results are no part of a condition, everything else is', () => {
  const { conditions } = importText(
    formatRows(
      { ...samples(1000), avg_ts: '511488.5', test_time: '"a"' },
      { ...samples(1500), avg_ts: '340999.5', test_time: '"b"' },
      { ...samples(1000), build_commit: '"other"' },
      { ...samples(1000), n_depth: '16' },
      { ...samples(1000), use_mmap: 'false' },
      { ...samples(1000), cpu_info: '"x"' },
    ),
  );
  expect(conditions.map(({ runs }) => runs)).toEqual([[0, 1], [2], [3], [4], [5]]);
});

test('fields of August 2023 are known', () => {
  const { unknownColumns, runs, conditions } = importText(
    'build_commit,build_number,cuda,opencl,metal,gpu_blas,blas,cpu_info,gpu_info,model_filename,model_type,model_size,model_n_params,n_batch,n_threads,f16_kv,n_gpu_layers,main_gpu,mul_mat_q,tensor_split,n_prompt,n_gen,test_time,avg_ns,stddev_ns,avg_ts,stddev_ts\n' +
      '"1234567","1275","1","0","0","1","1","A CPU","A GPU","m.gguf","llama 7B mostly Q4_0","3825065984","6738415616","512","16","1","99","0","1","0.00","512","0","2023-09-23T12:09:01Z","212155977","732372","2413.341687","8.305961"\n',
  );
  expect(unknownColumns).toEqual([]);
  expect(runs[0]).toMatchObject({ test: 'pp512', depthTokens: null });
  expect(conditions[0]?.fields).toMatchObject({ cuda: '1', mul_mat_q: '1', f16_kv: '1' });
});

test('hostile names do no harm', () => {
  const text = formatRows({ ...samples(1000), twin: '1', model_filename: '"\\ud800\\u001b[2J"' });
  const bytes = new TextEncoder().encode(text.replace('twin', '__proto__'));
  const { conditions, unknownColumns } = importLlamaBench(bytes, 'bench.out', null);
  expect(unknownColumns).toEqual(['__proto__']);
  expect(Object.entries(conditions[0]!.fields)).toContainEqual(['__proto__', '1']);
  expect(conditions[0]?.fields.model_filename).toBe('\ufffd\u001b[2J');
});
