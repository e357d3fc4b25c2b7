(** The future formulas of every template, as the generator composes them, are
    true at the first position exactly when the requirement holds: on finite
    traces with LAST and with weak next, and on infinite traces. *)

From Coq Require Import Arith Lia Classical.
From Shall Require Import Definitions Runs Operators.

(** * The formulas *)

Definition mode := Var MODE.
Definition cond := Var COND.
Definition stop := Var STOP.

(** How the end of the trace is expressed. *)
Inductive ending := Marked | Weak | Endless.

Section Formulas.
Variable e : ending.

(** The last position of the trace. *)
Definition trace_end : form :=
  match e with Marked => Var LAST | Weak => N Bot | Endless => Bot end.

(** At the next position, if there is one. *)
Definition weak_next (p : form) : form :=
  match e with Marked => Or (Var LAST) (X p) | Weak => N p | Endless => X p end.

(** Up to and including the first [over], or the end of the trace. *)
Definition release (over p : form) : form :=
  R_ all (match e with Marked => Or over (Var LAST) | Weak | Endless => over end) p.

Definition globally (p : form) : form := release Bot p.

(** The last position of an interval, and the others. *)
Definition interval_end (s : scope) : form :=
  match s with
  | Null | After | OnlyBefore => trace_end
  | In => weak_next (Not mode)
  | NotIn | OnlyIn | Before => weak_next mode
  | OnlyAfter => Or trace_end (And mode (X (Not mode)))
  end.

Definition goes_on (s : scope) : form :=
  let up_to inside :=
    match e with Marked => And (Not (Var LAST)) (X inside) | Weak | Endless => X inside end in
  match s with
  | Null | After | OnlyBefore | OnlyAfter => Not (interval_end s)
  | In => up_to mode
  | NotIn | OnlyIn | Before => up_to (Not mode)
  end.
End Formulas.

Section Body.
Variables fin go : form.

(** The interval ends before the position n steps ahead. The last case is not
    printed: a duration that may be 0. *)
Definition ends_before (n : num) : form :=
  match n with
  | K 0 => Bot
  | K (Datatypes.S c) => F_ (within (K c)) fin
  | M (Datatypes.S c) => F_ (within (M c)) fin
  | M 0 => Not (U_ (exactly (M 0)) (Not fin) Top)
  end.

Definition throughout (n : num) (p : form) : form :=
  match n with
  | K 0 => p
  | _ => Or (R_ all fin p) (G_ (within n) p)
  end.

Definition body_met (w : timing) (r : form) : form :=
  match w with
  | Immediately => r
  | Next => Or fin (X r)
  | Finally => R_ all fin (Imp fin r)
  | Always => R_ all fin r
  | Never => Bot
  | Eventually => U_ all go r
  | Within n => Or (F_ (within n) r) (ends_before n)
  | For n => throughout n r
  | AfterSteps n => And (throughout n (Not r)) (Or (ends_before (succ n)) (F_ (exactly (succ n)) r))
  | Until => R_ all (Or stop fin) (Or r stop)
  | BeforeStop => R_ all (Or r fin) (Not stop)
  end.

Definition body (d : demand) : form :=
  match d with
  | Meet w b => body_met w (response b)
  | Avoid n => Or (ends_before (succ n)) (Or (F_ (within n) (Var RES)) (F_ (exactly (succ n)) (Not (Var RES))))
  end.

(** One interval that begins here. *)
Definition one (c : condition) (d : demand) : form :=
  match c with
  | NoCondition => body d
  | Holding => R_ all fin (Imp cond (body d))
  | Regular => And (Imp cond (body d)) (R_ all fin (Or fin (Or cond (X (Imp cond (body d))))))
  end.

(** Every interval in which [s] holds. *)
Definition each (e : ending) (s : form) (c : condition) (d : demand) : form :=
  match c, d with
  | NoCondition, Meet Always b => globally e (Imp s (response b))
  | NoCondition, Meet Finally b => globally e (Imp (And s fin) (response b))
  | Holding, _ => globally e (Imp (And s cond) (body d))
  | NoCondition, _ => And (Imp s (body d)) (globally e (Or s (weak_next e (Imp s (body d)))))
  | Regular, _ =>
      And (Imp (And s cond) (body d)) (globally e (Or (And s cond) (weak_next e (Imp (And s cond) (body d)))))
  end.
End Body.

(** [Always] and [Finally] demand no more of a later trigger. *)
Definition condition_of (c : condition) (d : demand) : condition :=
  match c, d with
  | Regular, Meet Always _ | Regular, Meet Finally _ => Holding
  | _, _ => c
  end.

Definition future_formula (e : ending) (s : scope) (c : condition) (w : timing) : form :=
  let d := demanded s w in
  let c := condition_of c d in
  let fin := interval_end e s in
  let go := goes_on e s in
  match s with
  | Null | OnlyAfter => one fin go c d
  | In => each fin go e mode c d
  | NotIn | OnlyIn => each fin go e (Not mode) c d
  | Before => Or mode (one fin go c d)
  | After => release e mode (Imp mode (release e (Not mode) (Or mode (one fin go c d))))
  | OnlyBefore => release e mode (Imp mode (one fin go c d))
  end.

(** * Bodies *)

Lemma sem_X m tr p i : sem m tr (X p) i <-> inside tr (i + 1) /\ sem m tr p (i + 1).
Proof.
  unfold X. cbn [sem]. split.
  - intros [k [Hw Hk]]. apply window_one in Hw. subst. assumption.
  - intros Hk. exists 1. rewrite window_one. auto.
Qed.

Lemma sem_N m tr p i : sem m tr (N p) i <-> (inside tr (i + 1) -> sem m tr p (i + 1)).
Proof.
  unfold N. cbn [sem]. split.
  - intros Hk. apply Hk. apply window_one. reflexivity.
  - intros Hp k Hw. apply window_one in Hw. subst. assumption.
Qed.

Lemma sem_R m tr p q i : sem m tr (R_ all p q) i <->
  forall k, i <= k -> inside tr k -> sem m tr q k \/ exists j, i <= j < k /\ sem m tr p j.
Proof.
  cbn [sem]. split.
  - intros Hr k Hk Hin. destruct (Hr (k - i)) as [Hq | [j [Hj Hp]]].
    + apply window_all.
    + replace (i + (k - i)) with k by lia. assumption.
    + left. replace k with (i + (k - i)) by lia. assumption.
    + right. exists (i + j). split; [lia | assumption].
  - intros Hr k _ Hin. destruct (Hr (i + k)) as [Hq | [j [Hj Hp]]]; [lia | assumption | auto |].
    right. exists (j - i). replace (i + (j - i)) with j by lia. split; [lia | assumption].
Qed.

Lemma sem_F_within m tr n p i : sem m tr (F_ (within n) p) i <->
  exists k, i <= k <= i + val m n /\ inside tr k /\ sem m tr p k.
Proof.
  cbn [sem]. split.
  - intros [k [Hw [Hin Hp]]]. apply window_within in Hw. exists (i + k). split; [lia | auto].
  - intros [k [Hk [Hin Hp]]]. exists (k - i). rewrite window_within. replace (i + (k - i)) with k by lia. split; [lia | auto].
Qed.

Lemma sem_G_within m tr n p i : sem m tr (G_ (within n) p) i <->
  forall k, i <= k <= i + val m n -> inside tr k -> sem m tr p k.
Proof.
  cbn [sem]. split.
  - intros Hp k Hk Hin. replace k with (i + (k - i)) by lia. apply Hp; [apply window_within; lia |].
    replace (i + (k - i)) with k by lia. assumption.
  - intros Hp k Hw Hin. apply window_within in Hw. apply Hp; [lia | assumption].
Qed.

Lemma sem_F_exactly m tr n p i : sem m tr (F_ (exactly n) p) i <->
  inside tr (i + val m n) /\ sem m tr p (i + val m n).
Proof.
  cbn [sem]. split.
  - intros [k [Hw Hk]]. apply window_exactly in Hw. subst. assumption.
  - intros Hk. exists (val m n). rewrite window_exactly. auto.
Qed.

(** The first stop point, if there is one. *)
Lemma stop_cases tr t hi : no_stop tr t hi \/ exists s, first_stop tr t hi s.
Proof.
  destruct (classic (no_stop tr t hi)) as [|Hst]; [auto | right].
  apply not_all_ex_not in Hst. destruct Hst as [s0 Hst]. apply imply_to_and in Hst. destruct Hst as [Ha Hst].
  apply NNPP in Hst.
  destruct (least (fun k => ahead t hi k /\ at_position tr k STOP) s0) as [s [_ [[Has Hs] Hmin]]]; [auto |].
  exists s. split; [assumption | split; [assumption |]]. intros k Hk Hks. apply (Hmin k); [lia |]. split; [| assumption].
  destruct Has as [_ Hu]. split; [lia |]. destruct hi; simpl in *; [lia | auto].
Qed.

Section Bodies.
(** The formula is evaluated on a trace that may go on after the interval. *)
Variables (m : nat) (at_i : nat -> atom -> Prop) (l l' : option nat).
Let tr := Trace l at_i.
Let ev := Trace l' at_i.
Notation sem := (sem m ev).
Variables (fin go : form) (lo : nat) (hi : option nat).
Hypothesis lo_in : upto hi lo.
Hypothesis evaluated : forall i, upto hi i -> inside ev i.
Hypothesis fin_is : forall i, ahead lo hi i -> (sem fin i <-> hi = Some i).
Hypothesis go_is : forall i, ahead lo hi i -> (sem go i <-> hi <> Some i).

Section From.
Variable t : nat.
Hypothesis t_in : ahead lo hi t.

Lemma from_t i : ahead t hi i -> ahead lo hi i.
Proof. destruct t_in. intros [? ?]. split; [lia | assumption]. Qed.

Lemma release_in over p : (forall i, ahead t hi i -> hi = Some i -> sem over i) ->
  (sem (R_ all over p) t <-> forall k, ahead t hi k -> sem p k \/ exists j, t <= j < k /\ sem over j).
Proof.
  intros Hover. rewrite sem_R. split.
  - intros Hr k [Hk Hu]. apply Hr; auto.
  - intros Hr k Hk Hin. destruct (classic (upto hi k)) as [Hu | Hn]; [apply Hr; split; assumption |].
    right. destruct hi as [h|] eqn:E; [| exfalso; apply Hn; exact I]. simpl in Hn. destruct t_in as [_ Ht]. simpl in Ht.
    exists h. split; [lia |]. apply Hover; [split; simpl; lia | reflexivity].
Qed.

Lemma fin_not k j : ahead t hi k -> t <= j < k -> ~ sem fin j.
Proof.
  intros [Hk Hu] Hj Hf. apply fin_is in Hf.
  - rewrite Hf in Hu. simpl in Hu. lia.
  - apply from_t. split; [lia |]. destruct hi; simpl in *; [lia | auto].
Qed.

Lemma release_end p : sem (R_ all fin p) t <-> forall k, ahead t hi k -> sem p k.
Proof.
  rewrite release_in.
  - split; intros Hp k Hk; [destruct (Hp k Hk) as [|[j [Hj Hf]]]; [assumption | exfalso; eapply fin_not; eauto] | auto].
  - intros i Hi He. apply fin_is; [apply from_t |]; assumption.
Qed.

Lemma ends_in n : (exists k, t <= k < t + n /\ inside ev k /\ sem fin k) <-> ~ upto hi (t + n).
Proof.
  split.
  - intros [k [Hk [Hin Hf]]] Hu. assert (ahead t hi k) as Ha by (split; [lia | destruct hi; simpl in *; [lia | auto]]).
    apply fin_is in Hf; [| apply from_t; assumption]. rewrite Hf in Hu. simpl in Hu. lia.
  - intros Hn. destruct hi as [h|] eqn:E; [| exfalso; apply Hn; exact I]. simpl in Hn. destruct t_in as [H1 Ht]. simpl in Ht.
    exists h. split; [lia |]. split; [apply evaluated; simpl; lia |]. apply fin_is; [split; simpl; lia | reflexivity].
Qed.

Lemma ends_before_is n : sem (ends_before fin n) t <-> ~ upto hi (t + val m n).
Proof.
  rewrite <- ends_in. destruct n as [[|c]|[|c]]; unfold ends_before.
  - simpl. split; [tauto | intros [k [Hk _]]; lia].
  - rewrite sem_F_within. simpl val. split; intros [k [Hk Hs]]; exists k; (split; [lia | assumption]).
  - cbn [Definitions.sem]. split.
    + intros Hn. apply NNPP. intros No. apply Hn. exists (val m (M 0)). rewrite window_exactly. split; [reflexivity | split].
      * apply evaluated. apply NNPP. intros N'. apply No. apply ends_in. assumption.
      * split; [exact I |]. intros j Hj Hf. apply No. exists (t + j). split; [lia | split; [| assumption]].
        apply evaluated. apply NNPP. intros N'. apply No. apply ends_in. intros Hu. apply N'.
        destruct hi; simpl in *; [lia | auto].
    + intros [k [Hk [Hin Hf]]] [x [Hx [_ [_ Hu]]]]. apply window_exactly in Hx. subst. apply (Hu (k - t)); [lia |].
      replace (t + (k - t)) with k by lia. assumption.
  - rewrite sem_F_within. simpl val. split; intros [k [Hk Hs]]; exists k; (split; [lia | assumption]).
Qed.

Lemma throughout_is n p : sem (throughout fin n p) t <-> forall i, ahead t hi i -> i <= t + val m n -> sem p i.
Proof.
  assert (sem (Or (R_ all fin p) (G_ (within n) p)) t <-> forall i, ahead t hi i -> i <= t + val m n -> sem p i) as Hor.
  { change (sem (R_ all fin p) t \/ sem (G_ (within n) p) t <-> forall i, ahead t hi i -> i <= t + val m n -> sem p i).
    rewrite release_end, sem_G_within. split.
    - intros [Hp | Hp] i Hi Hn; [auto |]. apply Hp; [destruct Hi; lia |]. apply evaluated. apply Hi.
    - intros Hp. destruct (classic (upto hi (t + val m n))) as [Hu | Hn].
      + right. intros k Hk _. apply Hp; [| lia]. split; [lia |]. destruct hi; simpl in *; [lia | auto].
      + left. intros k Hk. apply Hp; [assumption |]. destruct Hk as [Hk Hu]. destruct hi as [h|]; simpl in *; [lia | tauto]. }
  destruct n as [[|c]|c]; try exact Hor. unfold throughout. simpl val. split.
  - intros Hp i [Hi _] Hn. replace i with t by lia. assumption.
  - intros Hp. apply Hp; [destruct t_in; split; auto | lia].
Qed.

Lemma response_same b i : Definitions.sem m tr (response b) i <-> sem (response b) i.
Proof. destruct b; reflexivity. Qed.

Lemma body_is d : (forall b, d <> Meet Never b) -> (sem (body fin go d) t <-> granted m tr d t hi).
Proof.
  intros Hd. pose proof t_in as [Hlot Hut].
  assert (ahead t hi t) as Htt by (split; auto).
  destruct d as [w b | n]; [destruct w |]; unfold body, body_met, granted, met;
    try (setoid_rewrite response_same);
    try match goal with |- context [response ?b] => set (r := response b) in * end.
  - reflexivity.
  - change (sem fin t \/ sem (X r) t <-> ~ upto hi (t + 1) \/ sem r (t + 1)). rewrite sem_X, fin_is by assumption. split.
    + intros [-> | [_ Hr]]; [left; simpl; lia | auto].
    + intros Hor. destruct (classic (upto hi (t + 1))) as [Hu | Hn].
      * right. split; [apply evaluated; assumption | tauto].
      * left. destruct hi as [h|]; simpl in *; [f_equal; lia | tauto].
  - rewrite release_end. assert (forall i, Definitions.sem m tr r i <-> sem r i) as Hsame by (intros; apply response_same).
    destruct hi as [h|] eqn:E.
    + simpl in Hut. rewrite Hsame. split.
      * intros Hp. apply (Hp h); [split; simpl; lia |]. apply fin_is; [split; simpl; lia | reflexivity].
      * intros Hr k Hk Hf. apply fin_is in Hf; [| split; [destruct Hk; lia | apply Hk]]. injection Hf as <-. assumption.
    + split; [auto |]. intros _ k Hk Hf. apply fin_is in Hf; [discriminate | split; [destruct Hk; lia | exact I]].
  - apply release_end.
  - exfalso. apply (Hd b). reflexivity.
  - cbn [Definitions.sem]. split.
    + intros [k [_ [Hin [Hr Hgo]]]]. exists (t + k). split; [| assumption]. split; [lia |].
      apply NNPP. intros Hn. destruct hi as [h|] eqn:E; [| apply Hn; exact I]. simpl in Hn, Hut.
      assert (sem go h) as Hg by (replace h with (t + (h - t)) by lia; apply Hgo; lia).
      apply go_is in Hg; [congruence |]. split; simpl; lia.
    + intros [k [[Hk Hu] Hr]]. exists (k - t). replace (t + (k - t)) with k by lia. split; [apply window_all |].
      split; [apply evaluated; assumption | split; [assumption |]]. intros j Hj. apply go_is.
      * split; [lia |]. destruct hi; simpl in *; [lia | auto].
      * intros E. rewrite E in Hu. simpl in Hu. lia.
  - change (sem (F_ (within n) r) t \/ sem (ends_before fin n) t <-> ~ upto hi (t + val m n) \/ exists i, t <= i <= t + val m n /\ sem r i).
    rewrite sem_F_within, ends_before_is. split.
    + intros [[k [Hk [_ Hr]]] | Hn]; [right; eauto | auto].
    + intros Hor. destruct (classic (upto hi (t + val m n))) as [Hu | Hn]; [left | auto].
      destruct Hor as [Hn | [k [Hk Hr]]]; [tauto |]. exists k. split; [assumption | split; [| assumption]]. apply evaluated.
      destruct hi; simpl in *; [lia | auto].
  - apply throughout_is.
  - change (sem (throughout fin n (Not r)) t /\ (sem (ends_before fin (succ n)) t \/ sem (F_ (exactly (succ n)) r) t) <->
      (forall i, ahead t hi i -> i <= t + val m n -> ~ sem r i) /\ (~ upto hi (t + val m n + 1) \/ sem r (t + val m n + 1))).
    rewrite throughout_is, ends_before_is, sem_F_exactly, val_succ, Nat.add_assoc.
    cbn [Definitions.sem]. split.
    + intros [H1 [H2 | [_ H2]]]; split; auto.
    + intros [H1 H2]. split; [assumption |]. destruct (classic (upto hi (t + val m n + 1))) as [Hu | Hn]; [right | auto].
      split; [apply evaluated; assumption | tauto].
  - rewrite release_in.
    2: { intros i Hi He. right. apply fin_is; [apply from_t |]; assumption. }
    split.
    + intros Hp. destruct (stop_cases tr t hi) as [Hno | [s Hs]].
      * right. split; [assumption |]. intros i Hi. destruct (Hp i Hi) as [[Hr | Hst] | [j [Hj [Hst | Hf]]]]; [assumption | | |].
        -- exfalso. apply (Hno i); assumption.
        -- exfalso. apply (Hno j); [split; [lia |] | assumption]. destruct Hi. destruct hi; simpl in *; [lia | auto].
        -- exfalso. apply (fin_not i j); assumption.
      * left. exists s. split; [assumption |]. intros i Hi. destruct Hs as [[Hts Hu] [Hss Hno]].
        assert (ahead t hi i) as Ha by (split; [lia | destruct hi; simpl in *; [lia | auto]]).
        destruct (Hp i Ha) as [[Hr | Hst] | [j [Hj [Hst | Hf]]]]; [assumption | | |].
        -- exfalso. apply (Hno i); assumption.
        -- exfalso. apply (Hno j); [lia | assumption].
        -- exfalso. apply (fin_not i j); assumption.
    + intros [[s [[[Hts Hu] [Hss Hno]] Hr]] | [Hno Hr]] k Hk; [| left; left; apply Hr; assumption].
      destruct (lt_eq_lt_dec k s) as [[Hlt | ->] | Hgt].
      * left. left. apply Hr. destruct Hk. lia.
      * left. right. assumption.
      * right. exists s. split; [lia | left; assumption].
  - rewrite release_in.
    2: { intros i Hi He. right. apply fin_is; [apply from_t |]; assumption. }
    split.
    + intros Hp. destruct (stop_cases tr t hi) as [Hno | [s Hs]]; [auto | right].
      exists s. split; [assumption |]. destruct Hs as [Ha [Hss Hno]].
      destruct (Hp s Ha) as [Hn | [j [Hj [Hr | Hf]]]].
      * exfalso. apply Hn. assumption.
      * exists j. split; assumption.
      * exfalso. apply (fin_not s j); assumption.
    + intros [Hno | [s [[[Hts Hu] [Hss Hno]] [i [Hi Hr]]]]] k Hk.
      * left. apply (Hno k). assumption.
      * destruct (le_lt_dec s k).
        -- right. exists i. split; [lia | left; assumption].
        -- left. apply (Hno k). destruct Hk. lia.
  - change (sem (ends_before fin (succ n)) t \/ sem (F_ (within n) (Var RES)) t \/ sem (F_ (exactly (succ n)) (Not (Var RES))) t <->
      ~ upto hi (t + val m n + 1) \/ (exists i, t <= i <= t + val m n /\ at_i i RES) \/ ~ at_i (t + val m n + 1) RES).
    rewrite ends_before_is, sem_F_within, sem_F_exactly, val_succ, Nat.add_assoc. cbn [Definitions.sem].
    change (at_position ev (t + val m n + 1) RES) with (at_i (t + val m n + 1) RES).
    destruct (classic (upto hi (t + val m n + 1))) as [Hu | Hn]; [| tauto]. split.
    + intros [H1 | [[k [Hk [_ Hr]]] | [_ H1]]]; [tauto | right; left; eauto | tauto].
    + intros [H1 | [[k [Hk Hr]] | H1]]; [tauto | | right; right; split; [apply evaluated; assumption | assumption]].
      right. left. exists k. split; [assumption | split; [| assumption]]. apply evaluated. destruct hi; simpl in *; [lia | auto].
Qed.
End From.

Lemma one_is c d : (forall b, d <> Meet Never b) ->
  (sem (one fin go c d) lo <-> forall t, trigger tr c lo hi t -> granted m tr d t hi).
Proof.
  intros Hd. assert (ahead lo hi lo) as Hlo by (split; auto).
  destruct c; unfold one, trigger; cbv zeta.
  - rewrite (body_is lo) by assumption. split; [intros Hg t [_ [_ ->]]; assumption | intros Hg; apply Hg; auto].
  - change (((at_i lo COND -> sem (body fin go d) lo) /\
      sem (R_ all fin (Or fin (Or cond (X (Imp cond (body fin go d)))))) lo) <->
      forall t, lo <= t /\ upto hi t /\ at_i t COND /\ (t = lo \/ ~ at_i (t - 1) COND) -> granted m tr d t hi).
    rewrite (release_end lo) by assumption. split.
    + intros [H1 H2] t [Ht [Hu [Hc Hor]]]. assert (ahead lo hi t) as Ha by (split; assumption).
      rewrite <- (body_is t) by assumption.
      destruct (Nat.eq_dec t lo) as [->|Hne]; [auto |].
      assert (ahead lo hi (t - 1)) as Hp by (split; [lia | destruct hi; simpl in *; [lia | auto]]).
      destruct (H2 (t - 1) Hp) as [Hf | [Hc' | Hx]].
      * apply fin_is in Hf; [| assumption]. rewrite Hf in Hu. simpl in Hu. lia.
      * destruct Hor as [|Hor]; [tauto | exfalso; apply Hor; exact Hc'].
      * apply sem_X in Hx. replace (t - 1 + 1) with t in Hx by lia. apply Hx. assumption.
    + intros Hg. split.
      * intros Hc. apply (body_is lo); [assumption | assumption |]. apply Hg. auto.
      * intros k [Hk Hu]. destruct (classic (hi = Some k)) as [E | Hne].
        -- left. apply fin_is; [split |]; assumption.
        -- right. destruct (classic (at_i k COND)) as [Hc | Hc]; [left; assumption | right].
           assert (upto hi (k + 1)) as Hu1.
           { destruct hi as [h|]; simpl in *; [| auto]. assert (h <> k) by congruence. lia. }
           apply sem_X. split; [apply evaluated; assumption |]. intros Hc1. apply (body_is (k + 1)); [split; [lia | assumption] | assumption |].
           apply Hg. repeat split; auto; [lia |]. right. replace (k + 1 - 1) with k by lia. assumption.
  - rewrite (release_end lo) by assumption. split.
    + intros Hp t [Ht [Hu Hc]]. apply (body_is t); [split; assumption | assumption |]. apply Hp; [split; assumption | exact Hc].
    + intros Hg k [Hk Hu] Hc. apply (body_is k); [split; assumption | assumption |]. apply Hg. repeat split; assumption.
Qed.
End Bodies.

(** * Endings *)

(** The formula with this ending, evaluated on [ev], is about [tr]. *)
Definition reads (e : ending) (ev tr : trace) : Prop :=
  at_position ev = at_position tr /\
  match e with
  | Marked => last ev = None /\ exists n, last tr = Some n /\ at_position tr n LAST /\ forall i, i < n -> ~ at_position tr i LAST
  | Weak => last ev = last tr /\ last tr <> None
  | Endless => last ev = None /\ last tr = None
  end.

Section Endings.
Variables (m : nat) (e : ending) (ev tr : trace).
Hypothesis read : reads e ev tr.
Notation sem := (sem m ev).

Lemma inside_ev i : inside tr i -> inside ev i.
Proof.
  pose proof read as [_ Hl]. unfold inside. destruct e.
  - destruct Hl as [-> _]. simpl. trivial.
  - destruct Hl as [-> _]. trivial.
  - destruct Hl as [-> ->]. trivial.
Qed.

Lemma atom_same i a : sem (Var a) i <-> at_position tr i a.
Proof. pose proof read as [Ha _]. cbn [Definitions.sem]. rewrite Ha. reflexivity. Qed.

Lemma trace_end_is i : inside tr i -> (sem (trace_end e) i <-> last tr = Some i).
Proof.
  intros Hin. pose proof read as [Ha Hl]. unfold trace_end, inside in *. pose proof (atom_same i LAST) as Hs. case_eq e; intros E; rewrite E in Hl.
  - rewrite Hs. destruct Hl as [_ [n [Hn [H1 H2]]]]. rewrite Hn in *. simpl in Hin. split.
    + intros Hi. f_equal. destruct (lt_eq_lt_dec i n) as [[Hlt | ->] | Hgt]; [exfalso; apply (H2 i); assumption | reflexivity | lia].
    + intros [= <-]. assumption.
  - rewrite sem_N. cbn [Definitions.sem]. unfold inside. destruct Hl as [-> Hl]. destruct (last tr) as [n|]; [| congruence]. simpl in *. split.
    + intros Hn. f_equal. lia.
    + intros [= ->]. lia.
  - destruct Hl as [_ ->]. simpl. split; [tauto | discriminate].
Qed.

Lemma weak_next_is p i : inside tr i -> (sem (weak_next e p) i <-> (inside tr (i + 1) -> sem p (i + 1))).
Proof.
  intros Hin. pose proof read as [Ha Hl]. unfold weak_next. case_eq e; intros E; rewrite E in Hl.
  - change (sem (Var LAST) i \/ sem (X p) i <-> (inside tr (i + 1) -> sem p (i + 1))).
    pose proof (trace_end_is i Hin) as He. rewrite E in He. unfold trace_end in He. rewrite He, sem_X.
    destruct Hl as [Hev [n [Hn _]]]. unfold inside in *. rewrite Hn, Hev in *. simpl in *. split.
    + intros [[= ->] | [_ Hp]]; [lia | auto].
    + intros Hp. destruct (Nat.eq_dec n i) as [->|]; [auto | right]. split; [exact I | apply Hp; lia].
  - rewrite sem_N. unfold inside. destruct Hl as [-> _]. reflexivity.
  - rewrite sem_X. unfold inside. destruct Hl as [-> ->]. simpl. tauto.
Qed.

Lemma release_is over p i : inside tr i -> (sem (release e over p) i <->
  forall k, i <= k -> inside tr k -> sem p k \/ exists j, i <= j < k /\ sem over j).
Proof.
  intros Hin. pose proof read as [Ha Hl]. unfold release. rewrite sem_R. case_eq e; intros E; rewrite E in Hl.
  - assert (forall j, inside tr j -> (sem (Var LAST) j <-> last tr = Some j)) as He.
    { intros j Hj. pose proof (trace_end_is j Hj) as He. rewrite E in He. exact He. }
    destruct Hl as [Hev [n [Hn _]]]. unfold inside in *. rewrite Hn, Hev in *. simpl upto in *. split.
    + intros Hr k Hk Hkn. destruct (Hr k Hk I) as [|[j [Hj [Ho | Hla]]]]; [auto | right; eauto |].
      change (sem (Var LAST) j) in Hla. apply He in Hla; [| lia]. injection Hla. lia.
    + intros Hr k Hk _. destruct (le_lt_dec k n) as [Hkn | Hgt].
      * destruct (Hr k Hk Hkn) as [|[j [Hj Ho]]]; [auto | right]. exists j. split; [assumption | left; assumption].
      * right. exists n. split; [lia |]. right. apply He; auto.
  - unfold inside. destruct Hl as [-> _]. reflexivity.
  - unfold inside. destruct Hl as [-> ->]. reflexivity.
Qed.

Lemma globally_is p i : inside tr i -> (sem (globally e p) i <-> forall k, i <= k -> inside tr k -> sem p k).
Proof.
  intros Hin. unfold globally. rewrite release_is by assumption. split; intros Hg k Hk Hin'; specialize (Hg k Hk Hin').
  - destruct Hg as [|[j [_ []]]]. assumption.
  - auto.
Qed.

(** ** The ends of intervals *)

(** The run of the scope ends here. *)
Definition ends_here (s : scope) (i : nat) : Prop :=
  last tr = Some i \/ inside tr (i + 1) /\ ~ scoped tr s (i + 1).

Lemma last_or_next i : inside tr i -> last tr = Some i \/ inside tr (i + 1).
Proof.
  unfold inside. destruct (last tr) as [n|]; simpl; [| auto]. intros Hi. destruct (Nat.eq_dec n i) as [->|]; [auto | right; lia].
Qed.

Lemma last_no_next i : last tr = Some i -> ~ inside tr (i + 1).
Proof. unfold inside. intros ->. simpl. lia. Qed.

Lemma weak_next_ends s p i : inside tr i -> (sem p (i + 1) <-> ~ scoped tr s (i + 1)) ->
  (sem (weak_next e p) i <-> ends_here s i).
Proof.
  intros Hin Hp. rewrite weak_next_is, Hp by assumption. unfold ends_here.
  pose proof (last_or_next i Hin). pose proof (last_no_next i). tauto.
Qed.

Lemma interval_end_is s i : inside tr i -> scoped tr s i -> (sem (interval_end e s) i <-> ends_here s i).
Proof.
  intros Hin Hs. pose proof (fun j => atom_same j MODE) as Hm. unfold mode in *.
  destruct s; unfold interval_end.
  - rewrite trace_end_is by assumption. unfold ends_here. simpl. tauto.
  - apply weak_next_ends; [assumption |]. cbn [Definitions.sem scoped]. rewrite <- Hm. reflexivity.
  - apply weak_next_ends; [assumption |]. cbn [scoped]. unfold mode. rewrite Hm. tauto.
  - apply weak_next_ends; [assumption |]. cbn [scoped] in *. unfold mode. rewrite Hm. split.
    + intros Hmode Hall. apply (Hall (i + 1)); auto.
    + intros Hn. apply NNPP. intros Hno. apply Hn. intros j Hj. destruct (Nat.eq_dec j (i + 1)) as [->|]; [assumption | apply Hs; lia].
  - rewrite trace_end_is by assumption. unfold ends_here. cbn [scoped] in *. split; [auto |]. intros [|[_ Hn]]; [assumption | exfalso].
    apply Hn. destruct Hs as [j [Hj Hl]]. exists j. split; [lia | assumption].
  - apply weak_next_ends; [assumption |]. cbn [scoped]. unfold mode. rewrite Hm. tauto.
  - rewrite trace_end_is by assumption. unfold ends_here. cbn [scoped] in *. split; [auto |]. intros [|[_ Hn]]; [assumption | exfalso].
    apply Hn. destruct Hs as [j [Hj Hl]]. exists j. split; [lia | assumption].
  - change (sem (trace_end e) i \/ (sem mode i /\ sem (X (Not mode)) i) <-> ends_here OnlyAfter i).
    rewrite trace_end_is, sem_X by assumption. cbn [Definitions.sem]. change (Definitions.sem m ev mode (i + 1)) with (sem (Var MODE) (i + 1)).
    unfold mode. rewrite !Hm. unfold ends_here. pose proof (last_or_next i Hin) as Hor. cbn [scoped] in *. split.
    + intros [|[H1 [_ H2]]]; [auto |]. destruct Hor as [|Hi1]; [auto | right]. split; [assumption |]. intros Hall.
      apply (Hall (i + 1)); [lia |]. replace (i + 1 - 1) with i by lia. repeat split; [assumption | lia | assumption].
    + intros [|[Hi1 Hn]]; [auto | right].
      assert (~ at_position tr (i + 1) MODE /\ 1 <= i + 1 /\ at_position tr (i + 1 - 1) MODE) as [H1 [_ H2]].
      { apply NNPP. intros Hno. apply Hn. intros j Hj. destruct (Nat.eq_dec j (i + 1)) as [->|]; [assumption | apply Hs; lia]. }
      replace (i + 1 - 1) with i in H2 by lia. split; [assumption | split; [apply inside_ev |]; assumption].
Qed.

Lemma goes_on_is s i : inside tr i -> scoped tr s i -> (sem (goes_on e s) i <-> ~ sem (interval_end e s) i).
Proof.
  intros Hin Hs.
  assert (forall p, sem (match e with Marked => And (Not (Var LAST)) (X p) | _ => X p end) i <-> ~ sem (weak_next e (Not p)) i) as Hup.
  { intros p. rewrite weak_next_is by assumption. pose proof (trace_end_is i Hin) as He. unfold trace_end in He. pose proof read as [_ Hl].
    pose proof (last_or_next i Hin) as Hor. pose proof (last_no_next i) as Hno. case_eq e; intros E; rewrite E in Hl; try rewrite E in He.
    - change (~ sem (Var LAST) i /\ sem (X p) i <-> ~ (inside tr (i + 1) -> ~ sem p (i + 1))). rewrite sem_X, He.
      destruct Hl as [Hev _]. unfold inside at 1. rewrite Hev. simpl upto. split; [intros [H1 [_ H2]] |]; tauto.
    - rewrite sem_X. unfold inside at 1. destruct Hl as [-> _]. cbn [Definitions.sem]. fold (inside tr (i + 1)). unfold inside at 1 2. tauto.
    - rewrite sem_X. unfold inside. destruct Hl as [-> ->]. cbn [Definitions.sem upto]. tauto. }
  destruct s; unfold goes_on, interval_end; try reflexivity.
  - apply Hup.
  - rewrite Hup. rewrite !weak_next_is by assumption. cbn [Definitions.sem]. split; intros Hn Hall; apply Hn; intros Hi; specialize (Hall Hi); tauto.
  - rewrite Hup. rewrite !weak_next_is by assumption. cbn [Definitions.sem]. split; intros Hn Hall; apply Hn; intros Hi; specialize (Hall Hi); tauto.
  - rewrite Hup. rewrite !weak_next_is by assumption. cbn [Definitions.sem]. split; intros Hn Hall; apply Hn; intros Hi; specialize (Hall Hi); tauto.
Qed.

Lemma ends_here_is s t hi i : run_end tr (scoped tr s) t hi -> ahead t hi i -> (ends_here s i <-> hi = Some i).
Proof.
  intros Hr [Hi Hu]. unfold ends_here. pose proof Hr as [_ [_ [HS He]]]. split.
  - intros [Hl | [Hin Hn]].
    + destruct hi as [h|]; [| congruence]. simpl in Hu. f_equal. destruct He as [He | [He _]].
      * rewrite Hl in He. congruence.
      * unfold inside in He. rewrite Hl in He. simpl in He. lia.
    + destruct hi as [h|].
      * simpl in Hu. f_equal. destruct (Nat.eq_dec h i); [assumption | exfalso]. apply Hn. apply HS; simpl; lia.
      * exfalso. apply Hn. apply HS; simpl; auto; lia.
  - intros ->. assumption.
Qed.

(** What the lemmas about bodies ask for. *)
Section Run.
Variables (s : scope) (t : nat) (hi : option nat).
Hypothesis Hr : run_end tr (scoped tr s) t hi.

Lemma run_fin i : ahead t hi i -> (sem (interval_end e s) i <-> hi = Some i).
Proof.
  intros Ha. pose proof Hr as [_ [_ [HS _]]]. pose proof Ha as [Hi Hu]. rewrite interval_end_is.
  - apply ends_here_is with (t := t); assumption.
  - apply (run_end_inside _ _ _ _ _ Hr Hu).
  - apply HS; assumption.
Qed.

Lemma run_go i : ahead t hi i -> (sem (goes_on e s) i <-> hi <> Some i).
Proof.
  intros Ha. pose proof Hr as [_ [_ [HS _]]]. pose proof Ha as [Hi Hu]. rewrite goes_on_is.
  - rewrite run_fin by assumption. reflexivity.
  - apply (run_end_inside _ _ _ _ _ Hr Hu).
  - apply HS; assumption.
Qed.

Lemma run_evaluated i : upto hi i -> inside ev i.
Proof. intros Hu. apply inside_ev. apply (run_end_inside _ _ _ _ _ Hr Hu). Qed.

Lemma traces_same : tr = Trace (last tr) (at_position tr) /\ ev = Trace (last ev) (at_position tr).
Proof. pose proof read as [Ha _]. rewrite <- Ha at 2. split; [destruct tr | destruct ev]; reflexivity. Qed.

Lemma run_body d : (forall b, d <> Meet Never b) ->
  (sem (body (interval_end e s) (goes_on e s) d) t <-> granted m tr d t hi).
Proof.
  intros Hd. destruct traces_same as [Et Ee]. pose proof Hr as [_ [Ht _]].
  pose proof run_fin as H1. pose proof run_go as H2. pose proof run_evaluated as H3.
  pose proof (body_is m (at_position tr) (last tr) (last ev) (interval_end e s) (goes_on e s) t hi Ht) as Hb.
  rewrite <- Et, <- Ee in Hb. apply Hb; auto. split; auto.
Qed.

Lemma run_one c d : (forall b, d <> Meet Never b) ->
  (sem (one (interval_end e s) (goes_on e s) c d) t <-> forall i, trigger tr c t hi i -> granted m tr d i hi).
Proof.
  intros Hd. destruct traces_same as [Et Ee]. pose proof Hr as [_ [Ht _]].
  pose proof run_fin as H1. pose proof run_go as H2. pose proof run_evaluated as H3.
  pose proof (one_is m (at_position tr) (last tr) (last ev) (interval_end e s) (goes_on e s) t hi Ht) as Ho.
  rewrite <- Et, <- Ee in Ho. apply Ho; auto.
Qed.
End Run.

(** ** Templates *)

Variable nonempty : inside tr 0.

Lemma interval_run s lo hi : interval tr s lo hi -> run_end tr (scoped tr s) lo hi.
Proof. intros Hi. apply interval_is_run in Hi; [| assumption]. apply run_split in Hi. apply Hi. Qed.

(** In one interval, and so in all. *)
Lemma demands_one s c d : (forall b, d <> Meet Never b) ->
  (demands tr s c (granted m tr d) <->
   forall lo hi, interval tr s lo hi -> sem (one (interval_end e s) (goes_on e s) c d) lo).
Proof.
  intros Hd. unfold demands. split.
  - intros Hall lo hi Hi. apply (run_one s lo hi); [apply interval_run; assumption | assumption |]. eauto.
  - intros Hall lo hi t Hi Ht. pose proof (Hall lo hi Hi) as Ho. rewrite (run_one s lo hi) in Ho; auto using interval_run.
Qed.

(** Every trigger, wherever it is. *)
Lemma demands_body s c d : (forall b, d <> Meet Never b) ->
  (demands tr s c (granted m tr d) <->
   forall t, inside tr t -> triggered tr (scoped tr s) c t -> sem (body (interval_end e s) (goes_on e s) d) t).
Proof.
  intros Hd. rewrite demands_core by assumption. unfold core. split.
  - intros Hc t Hin Ht. destruct (run_end_exists tr (scoped tr s) t Hin) as [hi Hr]; [apply Ht |].
    apply (run_body s t hi); auto.
  - intros Hb t hi Ht Hr. apply (run_body s t hi); auto. apply Hb; [apply Hr | assumption].
Qed.

Lemma condition_of_is s c d : (forall b, d <> Meet Never b) ->
  (demands tr s c (granted m tr d) <-> demands tr s (condition_of c d) (granted m tr d)).
Proof.
  intros Hd.
  assert ((forall t t' hi, t <= t' -> upto hi t' -> granted m tr d t hi -> granted m tr d t' hi) ->
    (demands tr s Regular (granted m tr d) <-> demands tr s Holding (granted m tr d))) as Hmono.
  { intros Hmono. unfold demands. split.
    - intros Hall lo hi t Hi [Ht [Hu Hc]].
      destruct (run_start (fun k => lo <= k /\ at_position tr k COND) t) as [j [Hj [Hk Hor]]]; [auto |].
      apply (Hmono j); [assumption | assumption |]. apply (Hall lo hi j Hi).
      assert (lo <= j /\ at_position tr j COND) as [H1 H2] by (apply Hk; lia).
      repeat split; auto; [destruct hi; simpl in *; [lia | auto] |].
      destruct (Nat.eq_dec j lo); [auto | right]. intros Hc'. destruct Hor as [|Hor]; [lia |]. apply Hor. split; [lia | assumption].
    - intros Hall lo hi t Hi [Ht [Hu [Hc _]]]. apply (Hall lo hi t Hi). repeat split; auto. }
  destruct c; try reflexivity. destruct d as [w b | n]; [| reflexivity]. destruct w; try reflexivity; apply Hmono; simpl.
  - auto.
  - intros t t' hi Ht Hu Hall i [Hi Hui]. apply Hall. split; [lia | assumption].
Qed.

(** The scopes in which every run of a state is an interval. *)
Section Each.
Variables (s : scope) (p : form).
Hypothesis repeated : s = In \/ s = NotIn \/ s = OnlyIn.
Hypothesis p_is : forall i, sem p i <-> scoped tr s i.

Lemma each_is c d : (forall b, d <> Meet Never b) ->
  (demands tr s c (granted m tr d) <-> sem (each (interval_end e s) (goes_on e s) e p c d) 0).
Proof.
  intros Hd.
  set (B := body (interval_end e s) (goes_on e s) d).
  (* triggers at the first of several positions *)
  assert (forall q, ((forall t, inside tr t -> sem q t /\ (t = 0 \/ ~ sem q (t - 1)) -> sem B t) <->
    sem (And (Imp q B) (globally e (Or q (weak_next e (Imp q B))))) 0)) as Hrise.
  { intros q. change (sem (And (Imp q B) (globally e (Or q (weak_next e (Imp q B))))) 0) with
      ((sem q 0 -> sem B 0) /\ sem (globally e (Or q (weak_next e (Imp q B)))) 0).
    rewrite globally_is by assumption. split.
    - intros Hall. split; [intros Hq; apply Hall; auto |]. intros k _ Hin.
      change (sem q k \/ sem (weak_next e (Imp q B)) k). rewrite weak_next_is by assumption.
      destruct (classic (sem q k)) as [|Hn]; [auto | right]. intros Hin1 Hq. apply Hall; [assumption |]. split; [assumption | right].
      replace (k + 1 - 1) with k by lia. assumption.
    - intros [H0 Hg] t Hin [Hq Hor]. destruct (Nat.eq_dec t 0) as [->|]; [auto |].
      destruct Hor as [|Hn]; [lia |]. assert (inside tr (t - 1)) as Hin' by (apply (inside_le tr t); [assumption | lia]).
      destruct (Hg (t - 1)) as [Hq' | Hw]; [lia | assumption | tauto |].
      change (sem (weak_next e (Imp q B)) (t - 1)) in Hw. rewrite weak_next_is in Hw by assumption.
      replace (t - 1 + 1) with t in Hw by lia. apply Hw; assumption. }
  destruct c.
  - assert (demands tr s NoCondition (granted m tr d) <->
      sem (And (Imp p B) (globally e (Or p (weak_next e (Imp p B))))) 0) as Hgeneral.
    { rewrite demands_body by assumption. rewrite <- Hrise. unfold triggered. split; intros Hall t Hin Ht.
      - apply Hall; [assumption |]. rewrite <- !p_is. assumption.
      - apply Hall; [assumption |]. rewrite !p_is. assumption. }
    unfold each. destruct d as [w b | n]; [| exact Hgeneral].
    destruct w; try exact Hgeneral; clear Hgeneral Hrise.
    + rewrite demands_core by assumption. rewrite globally_is by assumption. unfold core, triggered, granted, met. split.
      * intros Hc i _ Hin [Hp Hf]. apply p_is in Hp.
        change (sem (interval_end e s) i) in Hf. rewrite interval_end_is in Hf by assumption.
        destruct (run_start (scoped tr s) i Hp) as [lo [H1 [H2 H3]]].
        assert (run_end tr (scoped tr s) lo (Some i)) as Hr.
        { split; [apply (inside_le tr i); assumption | split; [simpl; assumption | split; [| exact Hf]]].
          intros j Hj Hu. simpl in Hu. apply H2. lia. }
        specialize (Hc lo (Some i)). cbn beta iota in Hc.
        assert (Definitions.sem m tr (response b) i) as Hres by (apply Hc; [split; [apply H2; lia | assumption] | exact Hr]).
        pose proof read as [Ha _]. destruct b; simpl in *; rewrite Ha; assumption.
      * intros Hg t hi [Ht _] Hr. destruct hi as [h|]; [| exact I].
        assert (ahead t (Some h) h) as Hah by (destruct Hr as [_ [? _]]; split; simpl in *; auto).
        assert (sem (response b) h) as Hres.
        { apply Hg; [lia | apply (run_end_inside _ _ _ _ _ Hr); simpl; lia |]. split.
          - apply p_is. destruct Hr as [_ [_ [HS _]]]. apply HS; apply Hah.
          - apply (run_fin s t (Some h) Hr h Hah). reflexivity. }
        pose proof read as [Ha _]. destruct b; simpl in *; rewrite Ha in Hres; assumption.
    + rewrite demands_core by assumption. rewrite globally_is by assumption. unfold core, triggered, granted, met. split.
      * intros Hc i _ Hin Hp. apply p_is in Hp.
        destruct (run_start (scoped tr s) i Hp) as [lo [H1 [H2 H3]]].
        destruct (run_end_exists tr (scoped tr s) lo) as [hi Hr]; [apply (inside_le tr i); assumption | apply H2; lia |].
        assert (Definitions.sem m tr (response b) i) as Hres.
        { apply (Hc lo hi); [split; [apply H2; lia | assumption] | exact Hr | split; [assumption |]].
          destruct hi as [h|]; [| exact I]. simpl. apply (run_end_ge tr (scoped tr s) lo h i); auto. }
        pose proof read as [Ha _]. destruct b; simpl in *; rewrite Ha; assumption.
      * intros Hg t hi [Ht _] Hr i [Hi Hu].
        assert (sem (response b) i) as Hres.
        { apply Hg; [lia | apply (run_end_inside _ _ _ _ _ Hr); assumption |]. apply p_is. destruct Hr as [_ [_ [HS _]]]. apply HS; assumption. }
        pose proof read as [Ha _]. destruct b; simpl in *; rewrite Ha in Hres; assumption.
  - change (demands tr s Regular (granted m tr d) <->
      sem (And (Imp (And p cond) B) (globally e (Or (And p cond) (weak_next e (Imp (And p cond) B))))) 0).
    rewrite demands_body by assumption. rewrite <- Hrise. unfold triggered.
    assert (forall i, sem (And p cond) i <-> scoped tr s i /\ at_position tr i COND) as Hq.
    { intros i. cbn [Definitions.sem]. change (Definitions.sem m ev cond i) with (sem (Var COND) i). rewrite atom_same. fold (sem p i). rewrite p_is. reflexivity. }
    split; intros Hall t Hin Ht; apply Hall; auto.
    + rewrite !Hq in Ht. tauto.
    + rewrite !Hq. tauto.
  - change (demands tr s Holding (granted m tr d) <-> sem (globally e (Imp (And p cond) B)) 0).
    rewrite demands_body, globally_is by assumption. unfold triggered.
    assert (forall i, sem (And p cond) i <-> scoped tr s i /\ at_position tr i COND) as Hq.
    { intros i. cbn [Definitions.sem]. change (Definitions.sem m ev cond i) with (sem (Var COND) i). rewrite atom_same. fold (sem p i). rewrite p_is. reflexivity. }
    split.
    + intros Hall k _ Hin Hk. apply Hq in Hk. apply Hall; assumption.
    + intros Hall t Hin Ht. apply Hall; [lia | assumption |]. apply Hq. assumption.
Qed.
End Each.

Lemma mode_is i : sem mode i <-> at_position tr i MODE.
Proof. apply atom_same. Qed.

Lemma future_demands s c d : (forall b, d <> Meet Never b) ->
  let fin := interval_end e s in
  let go := goes_on e s in
  (demands tr s c (granted m tr d) <->
   sem (match s with
        | Null | OnlyAfter => one fin go c d
        | In => each fin go e mode c d
        | NotIn | OnlyIn => each fin go e (Not mode) c d
        | Before => Or mode (one fin go c d)
        | After => release e mode (Imp mode (release e (Not mode) (Or mode (one fin go c d))))
        | OnlyBefore => release e mode (Imp mode (one fin go c d))
        end) 0).
Proof.
  intros Hd. cbv zeta.
  assert (forall i, sem (Not mode) i <-> ~ at_position tr i MODE) as Hnot.
  { intros i. cbn [Definitions.sem]. fold (sem mode i). rewrite mode_is. reflexivity. }
  destruct s.
  - rewrite demands_one by assumption. simpl interval. split; [intros Hall; eapply Hall; auto | intros Ho lo hi [-> _]; assumption].
  - apply each_is; auto. intros i. apply mode_is.
  - apply each_is; auto.
  - rewrite demands_one by assumption.
    change (sem (Or mode (one (interval_end e Before) (goes_on e Before) c d)) 0) with
      (sem mode 0 \/ sem (one (interval_end e Before) (goes_on e Before) c d) 0).
    rewrite mode_is. split.
    + intros Hall. destruct (classic (at_position tr 0 MODE)) as [|Hn]; [auto | right].
      assert (scoped tr Before 0) as Hs by (simpl; intros j Hj; replace j with 0 by lia; assumption).
      destruct (run_end_exists tr (scoped tr Before) 0 nonempty Hs) as [hi Hr].
      apply (Hall 0 hi). apply interval_is_run; [assumption |]. apply run_split. auto.
    + intros Hor lo hi Hi. pose proof Hi as [-> _]. destruct Hor as [Hm | Ho]; [| assumption]. exfalso.
      apply interval_run in Hi. destruct Hi as [_ [Hu [HS _]]]. apply (HS 0 (le_n _) Hu 0); auto.
  - rewrite demands_one by assumption. set (o := one (interval_end e After) (goes_on e After) c d).
    rewrite release_is by assumption. split.
    + intros Hall k _ Hin. destruct (classic (exists j, 0 <= j < k /\ sem mode j)) as [|Hno]; [auto | left].
      intros Hm. rewrite release_is by assumption. intros k' Hk' Hin'.
      destruct (classic (exists j, k <= j < k' /\ sem (Not mode) j)) as [|Hno']; [auto | left].
      destruct (classic (sem mode k')) as [|Hnm]; [left; assumption | right]. rewrite mode_is in Hm, Hnm.
      assert (k < k') as Hlt by (destruct (Nat.eq_dec k k') as [->|]; [tauto | lia]).
      assert (forall j, k <= j < k' -> at_position tr j MODE) as Hrun.
      { intros j Hj. apply NNPP. intros N'. apply Hno'. exists j. split; [assumption | apply Hnot; assumption]. }
      apply (Hall k' (last tr)). exists k, (k' - 1). repeat split; auto.
      * intros j Hj Hmj. apply Hno. exists j. split; [lia | apply mode_is; assumption].
      * simpl. lia.
      * intros i Hi Hu. simpl in Hu. apply Hrun. lia.
      * destruct k as [|k0]; [auto | right]. intros Hm0. apply Hno. exists (Datatypes.S k0 - 1). split; [lia | apply mode_is; assumption].
      * right. replace (k' - 1 + 1) with k' by lia. auto.
      * lia.
    + intros Hr lo hi [a [b [[Ha [Hma Hfirst]] [Hrun [-> [Hin ->]]]]]].
      destruct Hrun as [_ [Hab [Hm [_ He]]]]. simpl in Hab.
      assert (~ at_position tr (b + 1) MODE) as Hnb.
      { destruct He as [He | [_ He]]; [| assumption]. unfold inside in Hin. rewrite He in Hin. simpl in Hin. lia. }
      destruct (Hr a) as [Hi | [j [Hj Hmj]]]; [lia | assumption | |].
      2: { exfalso. apply (Hfirst j); [lia | apply mode_is; assumption]. }
      assert (sem (release e (Not mode) (Or mode o)) a) as Hrel by (apply Hi, mode_is; assumption).
      rewrite release_is in Hrel by assumption. destruct (Hrel (b + 1)) as [[Hmb | Ho] | [j [Hj Hnj]]]; [lia | assumption | | assumption |].
      * exfalso. apply Hnb. apply mode_is. assumption.
      * exfalso. apply Hnot in Hnj. apply Hnj. apply Hm; simpl; lia.
  - apply each_is; auto.
  - rewrite demands_one by assumption. set (o := one (interval_end e OnlyBefore) (goes_on e OnlyBefore) c d).
    rewrite release_is by assumption. split.
    + intros Hall k _ Hin. destruct (classic (exists j, 0 <= j < k /\ sem mode j)) as [|Hno]; [auto | left].
      intros Hm. apply (Hall k (last tr)). split; [| reflexivity]. split; [assumption | split; [apply mode_is; assumption |]].
      intros j Hj Hmj. apply Hno. exists j. split; [lia | apply mode_is; assumption].
    + intros Hr lo hi [[Ha [Hma Hfirst]] _]. destruct (Hr lo) as [Hi | [j [Hj Hmj]]]; [lia | assumption | apply Hi, mode_is; assumption |].
      exfalso. apply (Hfirst j); [lia | apply mode_is; assumption].
  - rewrite demands_one by assumption. split.
    + intros Hall. assert (scoped tr OnlyAfter 0) as Hs by (simpl; intros j Hj; lia).
      destruct (run_end_exists tr (scoped tr OnlyAfter) 0 nonempty Hs) as [hi Hr].
      apply (Hall 0 hi). apply interval_is_run; [assumption |]. apply run_split. auto.
    + intros Ho lo hi [-> _]. assumption.
Qed.

Theorem future_formula_is s c w : holds m s c w tr <-> sem (future_formula e s c w) 0.
Proof.
  unfold future_formula. cbv zeta. rewrite <- future_demands by (intros b; apply demanded_not_never).
  rewrite <- condition_of_is by (intros b; apply demanded_not_never).
  unfold holds, demands. split; intros Hall lo hi t Hi Ht; apply granted_demanded; [| apply granted_demanded]; auto.
  - apply Hall with (lo := lo); assumption.
  - apply granted_demanded. apply Hall with (lo := lo); assumption.
Qed.
End Endings.

(** The future formulas of a template say what its definition says. *)
Theorem finite_formula_agrees m s c w : finite_agrees m s c w (future_formula Weak s c w).
Proof.
  intros at_i n tr. symmetry. apply future_formula_is with (ev := tr); [| unfold inside; simpl; lia].
  split; [reflexivity |]. split; [reflexivity | discriminate].
Qed.

Theorem marked_formula_agrees m s c w : marked_agrees m s c w (future_formula Marked s c w).
Proof.
  intros at_i n H1 H2. symmetry. apply future_formula_is; [| unfold inside; simpl; lia].
  split; [reflexivity |]. split; [reflexivity |]. exists n. auto.
Qed.

Theorem infinite_formula_agrees m s c w : infinite_agrees m s c w (future_formula Endless s c w).
Proof.
  intros at_i tr. symmetry. apply future_formula_is; [| exact I]. split; [reflexivity |]. split; reflexivity.
Qed.
