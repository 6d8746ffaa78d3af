//! [`Crew`]: evaluators at work on one tree, one of them in the caller's thread.
//!
//! The tree stays in one place: helpers see positions, and each always has one more waiting than it
//! is working on, so that it never waits for the tree. A crew without helpers starts no thread, and
//! what it does is a function of search and evaluator.

use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use search::{
    Aside, EvalAnswers, EvalCache, EvalRequest, Evaluator, EvaluatorError, Question, Reach, Search,
    evaluate,
};

#[cfg(test)]
mod tests;

/// Jobs that a helper has at most: one to work on, one to go on with.
const JOBS_PER_HELPER: usize = 2;

/// Leaves found in the cache that one step takes at most, so that input and clock are looked at.
const MOST_RECALLED: u32 = 64;

/// How long an answer is waited for before somebody looks whether its thread still lives.
const LOOK_FOR_THE_DEAD: Duration = Duration::from_millis(200);

type Leaves = Vec<(Aside, Question)>;

/// What a walk has found.
enum Found {
    /// A position that nobody has evaluated.
    Leaf,
    /// Only positions in the cache, which is enough for one step.
    Known,
    /// An answer must come first.
    Busy,
    /// The search has finished.
    Nothing,
}

/// Evaluators that share a cache and work on one search at a time.
pub(crate) struct Crew {
    /// The caller's own evaluator, and what all of them have said.
    cache: EvalCache<Box<dyn Evaluator>>,
    batch_size: usize,
    helpers: Vec<Helper>,
    done: Receiver<Done>,
    /// Leaves that helpers work on, by job. A job that is not here is of no use any more.
    open: HashMap<u64, Vec<Aside>>,
    next_job: u64,
    answers: EvalAnswers,
}

/// A thread with an evaluator.
struct Helper {
    jobs: Option<Sender<Job>>,
    n_jobs: usize,
    is_over: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

struct Job {
    id: u64,
    questions: Vec<Question>,
}

struct Done {
    helper_idx: usize,
    job: Job,
    answers: Result<EvalAnswers, EvaluatorError>,
}

impl Crew {
    /// The first of `evaluators` works in the caller's thread, each other one in its own; they must
    /// answer alike. Each takes up to `batch_size` positions at once, at least 1; what they say is
    /// kept in `memory_mib` MiB.
    ///
    /// # Panics
    ///
    /// If there is no evaluator.
    pub(crate) fn new(
        evaluators: Vec<Box<dyn Evaluator>>,
        batch_size: usize,
        memory_mib: usize,
    ) -> Crew {
        let mut evaluators = evaluators.into_iter();
        let own = evaluators.next().expect("a crew has an evaluator");
        let (to_caller, done) = mpsc::channel();
        let helpers = evaluators
            .enumerate()
            .map(|(helper_idx, evaluator)| Helper::start(helper_idx, evaluator, to_caller.clone()));
        Crew {
            helpers: helpers.collect(),
            cache: EvalCache::new(own, memory_mib),
            batch_size: batch_size.max(1),
            done,
            open: HashMap::new(),
            next_job: 0,
            answers: EvalAnswers::new(),
        }
    }

    /// Takes another amount of memory for the answers.
    pub(crate) fn resize(&mut self, memory_mib: usize) {
        self.cache.resize(memory_mib);
    }

    /// Leaves that may be on their way at once.
    pub(crate) fn most_open(&self) -> u32 {
        let per_helper = JOBS_PER_HELPER * self.batch_size;
        u32::try_from(self.helpers.len() * per_helper + self.batch_size).unwrap_or(u32::MAX)
    }

    /// Moves `search` on by about the time of one evaluation: hands helpers what they need, evaluates
    /// here, and takes the answers that have come. It ends with nothing on its way if the search has
    /// finished.
    ///
    /// # Errors
    ///
    /// If an evaluator fails or its answer is refused. Nothing is on its way then.
    pub(crate) fn work(&mut self, search: &mut Search) -> Result<(), EvaluatorError> {
        let worked = self.try_work(search);
        if worked.is_err() {
            self.drop_work(search);
        }
        worked
    }

    /// Stops waiting for answers; the search is then as if the walks to their leaves had not been.
    pub(crate) fn drop_work(&mut self, search: &mut Search) {
        for aside in self.open.drain().flat_map(|(_, leaves)| leaves) {
            search.forget(aside);
        }
    }

    fn try_work(&mut self, search: &mut Search) -> Result<(), EvaluatorError> {
        while let Ok(done) = self.done.try_recv() {
            self.take(done, search)?;
        }
        // The root's own answer comes first: every walk needs it.
        if 0 < search.visit_count() {
            for helper_idx in 0..self.helpers.len() {
                while self.helpers[helper_idx].n_jobs < JOBS_PER_HELPER {
                    let (leaves, _) = self.gather(search)?;
                    if leaves.is_empty() {
                        break;
                    }
                    self.send(helper_idx, leaves);
                }
            }
        }
        if self.batch_size == 1 {
            self.evaluate_one(search)
        } else {
            self.evaluate_batch(search)
        }
    }

    /// Walks on until a position needs an evaluator; those in the cache are answered on the way.
    fn walk(&mut self, search: &mut Search) -> Result<Found, EvaluatorError> {
        for _ in 0..MOST_RECALLED {
            match search.walk() {
                Reach::Leaf => {}
                Reach::Busy => return Ok(Found::Busy),
                Reach::Finished => return Ok(Found::Nothing),
            }
            let Some((logits, value)) = self.cache.recall(search.request()) else {
                return Ok(Found::Leaf);
            };
            search.apply(logits, value)?;
        }
        Ok(Found::Known)
    }

    /// Up to a batch of leaves, set aside, and what the walk after the last one found.
    fn gather(&mut self, search: &mut Search) -> Result<(Leaves, Found), EvaluatorError> {
        let mut leaves = Leaves::with_capacity(self.batch_size);
        while leaves.len() < self.batch_size {
            match self.walk(search) {
                Ok(Found::Leaf) => leaves.push(search.set_aside()),
                Ok(other) => return Ok((leaves, other)),
                Err(error) => {
                    leaves
                        .into_iter()
                        .for_each(|(aside, _)| search.forget(aside));
                    return Err(error);
                }
            }
        }
        Ok((leaves, Found::Leaf))
    }

    fn send(&mut self, helper_idx: usize, leaves: Leaves) {
        let (asides, questions) = leaves.into_iter().unzip();
        let id = self.next_job;
        self.next_job += 1;
        self.open.insert(id, asides);
        self.helpers[helper_idx].send(Job { id, questions });
    }

    fn evaluate_one(&mut self, search: &mut Search) -> Result<(), EvaluatorError> {
        match self.walk(search)? {
            Found::Leaf => {
                let request = search.request();
                evaluate(self.cache.inner_mut(), &[request], &mut self.answers)?;
                let (logits, value) = self.answers.get(0);
                self.cache.keep(request, logits, value);
                search.apply(logits, value)
            }
            other => self.go_on_without_leaf(other, search),
        }
    }

    fn go_on_without_leaf(
        &mut self,
        found: Found,
        search: &mut Search,
    ) -> Result<(), EvaluatorError> {
        match found {
            Found::Busy => return self.wait(search),
            Found::Nothing => self.drop_work(search),
            Found::Leaf | Found::Known => {}
        }
        Ok(())
    }

    fn evaluate_batch(&mut self, search: &mut Search) -> Result<(), EvaluatorError> {
        let (leaves, found) = self.gather(search)?;
        if leaves.is_empty() {
            return self.go_on_without_leaf(found, search);
        }
        let requests: Vec<EvalRequest<'_>> = leaves.iter().map(|(_, q)| q.request()).collect();
        let mut result = evaluate(self.cache.inner_mut(), &requests, &mut self.answers);
        for (idx, (aside, question)) in leaves.into_iter().enumerate() {
            if result.is_err() {
                search.forget(aside);
                continue;
            }
            let (logits, value) = self.answers.get(idx);
            self.cache.keep(question.request(), logits, value);
            result = search.apply_aside(aside, &question, logits, value);
        }
        result
    }

    /// Waits for one job, if there is one.
    fn wait(&mut self, search: &mut Search) -> Result<(), EvaluatorError> {
        if self.open.is_empty() {
            return Ok(());
        }
        loop {
            let gone = match self.done.recv_timeout(LOOK_FOR_THE_DEAD) {
                Ok(done) => return self.take(done, search),
                Err(RecvTimeoutError::Timeout) => self.helpers.iter().any(Helper::is_gone),
                Err(RecvTimeoutError::Disconnected) => true,
            };
            if gone {
                return Err(EvaluatorError::new("a thread that evaluates has ended"));
            }
        }
    }

    /// Takes a finished job: keeps its answers, and backs them up if they are still waited for.
    fn take(&mut self, done: Done, search: &mut Search) -> Result<(), EvaluatorError> {
        let Done {
            helper_idx,
            job,
            answers,
        } = done;
        self.helpers[helper_idx].n_jobs -= 1;
        let asides = self.open.remove(&job.id);
        let answers = match answers {
            Ok(answers) => answers,
            Err(error) => {
                for aside in asides.into_iter().flatten() {
                    search.forget(aside);
                }
                return Err(error);
            }
        };
        for (idx, question) in job.questions.iter().enumerate() {
            let (logits, value) = answers.get(idx);
            self.cache.keep(question.request(), logits, value);
        }
        let mut result = Ok(());
        for (idx, aside) in asides.into_iter().flatten().enumerate() {
            if result.is_err() {
                search.forget(aside);
                continue;
            }
            let (logits, value) = answers.get(idx);
            result = search.apply_aside(aside, &job.questions[idx], logits, value);
        }
        result
    }
}

impl Drop for Crew {
    /// Waits for the threads: a library must not be unloaded while one of them is inside it.
    fn drop(&mut self) {
        for helper in &mut self.helpers {
            helper.is_over.store(true, Ordering::Relaxed);
            helper.jobs = None;
        }
        for helper in &mut self.helpers {
            if let Some(thread) = helper.thread.take() {
                // A helper that has panicked has been noticed as an evaluator that failed.
                let _ = thread.join();
            }
        }
    }
}

impl Helper {
    fn start(
        helper_idx: usize,
        mut evaluator: Box<dyn Evaluator>,
        to_caller: Sender<Done>,
    ) -> Helper {
        let (jobs, to_do) = mpsc::channel::<Job>();
        let is_over = Arc::new(AtomicBool::new(false));
        let stop = Arc::clone(&is_over);
        let work = move || {
            for job in to_do {
                if stop.load(Ordering::Relaxed) {
                    return;
                }
                let mut answers = EvalAnswers::new();
                let requests: Vec<_> = job.questions.iter().map(Question::request).collect();
                let evaluated = evaluate(&mut *evaluator, &requests, &mut answers);
                let done = Done {
                    helper_idx,
                    answers: evaluated.map(|()| answers),
                    job,
                };
                if to_caller.send(done).is_err() {
                    return;
                }
            }
        };
        Helper {
            jobs: Some(jobs),
            n_jobs: 0,
            is_over,
            thread: Some(thread::spawn(work)),
        }
    }

    fn is_gone(&self) -> bool {
        self.thread.as_ref().is_none_or(JoinHandle::is_finished)
    }

    fn send(&mut self, job: Job) {
        self.n_jobs += 1;
        if let Some(jobs) = &self.jobs {
            // A helper that is gone is noticed when its answer is waited for.
            let _ = jobs.send(job);
        }
    }
}
