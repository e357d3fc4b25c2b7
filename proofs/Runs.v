(** Every scope is a set of positions, and its intervals are the maximal runs
    of this set; every trigger is a set of positions too. So a requirement is
    about two sets: "in scope" and "triggered here". *)

From Coq Require Import Arith Lia Classical.
From Shall Require Import Definitions.

Implicit Types (S Tr P : nat -> Prop) (tr : trace).

(** Position i is in scope. *)
Definition scoped (tr : trace) (s : scope) (i : nat) : Prop :=
  let mode i := at_position tr i MODE in
  let left i := ~ mode i /\ 1 <= i /\ mode (i - 1) in
  match s with
  | Null => True
  | In => mode i
  | NotIn | OnlyIn => ~ mode i
  | Before => forall j, j <= i -> ~ mode j
  | After => exists j, j <= i /\ left j
  | OnlyBefore => exists j, j <= i /\ mode j
  | OnlyAfter => forall j, j <= i -> ~ left j
  end.

(** The induction principle of the least position. *)
Lemma least (P : nat -> Prop) (n : nat) : P n -> exists i, i <= n /\ P i /\ forall j, j < i -> ~ P j.
Proof.
  induction n as [n IH] using lt_wf_ind. intros Hn.
  destruct (classic (exists j, j < n /\ P j)) as [[j [Hj Pj]] | No].
  - destruct (IH j Hj Pj) as [i [? ?]]. exists i. split; [lia | assumption].
  - exists n. split; [lia | split; [assumption |]]. intros j Hj Pj. apply No. eauto.
Qed.

(** The greatest position below n. *)
Lemma greatest (P : nat -> Prop) (n k : nat) :
  k <= n -> P k -> exists i, k <= i <= n /\ P i /\ forall j, i < j <= n -> ~ P j.
Proof.
  intros Hk Pk. destruct (least (fun d => d <= n /\ P (n - d)) (n - k)) as [d [Hd [[Hd' Pd] Hmin]]].
  - replace (n - (n - k)) with k by lia. split; [lia | assumption].
  - exists (n - d). split; [lia | split; [assumption |]]. intros j Hj Pj.
    apply (Hmin (n - j)); [lia |]. split; [lia |]. replace (n - (n - j)) with j by lia. assumption.
Qed.

Lemma inside_le tr i j : inside tr i -> j <= i -> inside tr j.
Proof. unfold inside, upto. destruct (last tr); intros; lia || trivial. Qed.

(** The run of S that contains t ends at hi. *)
Definition run_end (tr : trace) (S : nat -> Prop) (t : nat) (hi : option nat) : Prop :=
  inside tr t /\ upto hi t /\ (forall i, t <= i -> upto hi i -> S i) /\
  match hi with
  | Some h => last tr = Some h \/ inside tr (h + 1) /\ ~ S (h + 1)
  | None => last tr = None
  end.

Lemma run_end_exists tr S t : inside tr t -> S t -> exists hi, run_end tr S t hi.
Proof.
  intros It St.
  destruct (classic (exists h, t <= h /\ inside tr h /\ ~ S h)) as [[h0 [H1 H2]] | No].
  - destruct (least (fun h => t <= h /\ inside tr h /\ ~ S h) h0) as [h [_ [[Hh [Ih Nh]] Hmin]]]; [tauto |].
    assert (t <> h) by (intros ->; tauto).
    exists (Some (h - 1)). split; [assumption | split; [simpl; lia | split]].
    + intros i Hi Hu. simpl in Hu. apply NNPP. intros N. apply (Hmin i); [lia |]. split; [lia | split; [|assumption]].
      apply (inside_le tr h); [assumption | lia].
    + right. replace (h - 1 + 1) with h by lia. tauto.
  - exists (last tr). split; [assumption | split; [assumption | split]].
    + intros i Hi Hu. apply NNPP. intros N. apply No. exists i. auto.
    + destruct (last tr); auto.
Qed.

Lemma run_end_ge tr S t h i :
  run_end tr S t (Some h) -> inside tr i -> (forall j, t <= j <= i -> S j) -> i <= h.
Proof.
  intros [_ [Hu [_ He]]] Hi HS. simpl in Hu. destruct (le_lt_dec i h) as [|Hlt]; [assumption | exfalso].
  destruct He as [He | [_ He]].
  - unfold inside in Hi. rewrite He in Hi. simpl in Hi. lia.
  - apply He, HS. lia.
Qed.

(** The run of S that contains t begins at lo. *)
Lemma run_start (S : nat -> Prop) t :
  S t -> exists lo, lo <= t /\ (forall i, lo <= i <= t -> S i) /\ (lo = 0 \/ ~ S (lo - 1)).
Proof.
  intros St. destruct (least (fun lo => lo <= t /\ forall i, lo <= i <= t -> S i) t) as [lo [H1 [[H2 H3] H4]]].
  - split; [lia |]. intros i Hi. replace i with t by lia. assumption.
  - exists lo. split; [assumption | split; [assumption |]]. destruct lo as [|lo']; [auto | right].
    intros N. apply (H4 lo'); [lia |]. split; [lia |]. intros i Hi.
    destruct (Nat.eq_dec i lo') as [->|]; [simpl in N; rewrite Nat.sub_0_r in N; assumption | apply H3; lia].
Qed.

Lemma run_split tr S lo hi :
  run tr S lo hi <-> run_end tr S lo hi /\ (lo = 0 \/ ~ S (lo - 1)).
Proof. unfold run, run_end. tauto. Qed.

(** The property of runs at lo and at some t of them. *)
Lemma run_end_later tr S lo hi t : run_end tr S lo hi -> lo <= t -> inside tr t -> upto hi t -> run_end tr S t hi.
Proof.
  intros [H1 [H2 [H3 H4]]] Ht It Hu. repeat split; auto. intros i Hi Hui. apply H3; [lia | assumption].
Qed.

Lemma run_end_inside tr S lo hi i : run_end tr S lo hi -> upto hi i -> inside tr i.
Proof.
  intros [_ [_ [_ He]]] Hu. destruct hi as [h|]; unfold inside.
  - simpl in Hu. destruct He as [-> | [He _]]; [assumption |]. apply (inside_le tr (h + 1)); auto; lia.
  - rewrite He. exact I.
Qed.

(** ** Intervals are runs *)

Lemma upto_last_inside tr i : upto (last tr) i <-> inside tr i.
Proof. reflexivity. Qed.

Lemma whole_end tr : match last tr with
  | Some h => last tr = Some h \/ inside tr (h + 1) /\ ~ True
  | None => last tr = None end.
Proof. destruct (last tr); auto. Qed.

(** A set that is never left has one run, up to the end of the trace. *)
Lemma closed_run_end tr (S : nat -> Prop) t hi :
  (forall i j, S i -> i <= j -> inside tr j -> S j) -> S t ->
  (run_end tr S t hi <-> inside tr t /\ hi = last tr).
Proof.
  intros Hup St. split.
  - intros [H1 [H2 [H3 H4]]]. split; [assumption |]. destruct hi as [h|]; [| congruence].
    destruct H4 as [H4 | [H4 H5]]; [congruence |]. exfalso. apply H5. apply (Hup t); simpl in *; auto; lia.
  - intros [H1 ->]. repeat split; auto.
    + intros i Hi Hu. apply (Hup t); auto.
    + destruct (last tr); auto.
Qed.

Lemma nothing_before_0 (S : nat -> Prop) lo : (forall i j, S j -> i <= j -> S i) -> S lo ->
  ((lo = 0 \/ ~ S (lo - 1)) <-> lo = 0).
Proof.
  intros Hdown Slo. split; [| auto]. intros [H | H]; [assumption |]. exfalso. apply H. apply (Hdown _ lo); [assumption | lia].
Qed.

Section Intervals.
Variable tr : trace.
Hypothesis nonempty : inside tr 0.
Notation mode := (fun i => at_position tr i MODE).

Lemma interval_null lo hi : interval tr Null lo hi <-> run tr (scoped tr Null) lo hi.
Proof.
  rewrite run_split. simpl. split.
  - intros [-> ->]. split; [| auto]. apply closed_run_end; simpl; auto.
  - intros [H [H0 | []]]; [subst | trivial].
    split; [reflexivity |]. eapply (closed_run_end tr (fun _ => True) 0 hi); auto.
Qed.

Lemma interval_before lo hi : interval tr Before lo hi <-> run tr (scoped tr Before) lo hi.
Proof.
  rewrite run_split. simpl. split.
  - intros [-> Hhi]. split; [| auto]. destruct Hhi as [[i [[H1 [H2 H3]] ->]] | [Hn ->]].
    + repeat split; auto.
      * simpl; lia.
      * intros j _ Hj k Hk. simpl in Hj. apply H3. lia.
      * right. split; [assumption |]. intros N. apply (N (i + 1)); auto.
    + repeat split; auto.
      * intros j _ Hj k Hk. apply Hn. apply (inside_le tr j); assumption.
      * destruct (last tr); auto.
  - intros [[H1 [H2 [H3 H4]]] Hlo].
    assert (lo = 0) as ->.
    { destruct Hlo as [|Hlo]; [assumption | exfalso]. apply Hlo. intros j Hj.
      apply (H3 lo); [lia | assumption | lia]. }
    split; [reflexivity |]. destruct hi as [h|].
    + destruct H4 as [H4 | [H4 H5]].
      * right. split; [| auto]. intros i Hi. apply (H3 h); [lia | simpl; lia |]. unfold inside in Hi. rewrite H4 in Hi. assumption.
      * left. exists h. split; [| reflexivity]. split; [assumption |]. simpl in H2.
        assert (forall j, j < h + 1 -> ~ at_position tr j MODE) as Hall.
        { intros j Hj. apply (H3 h); simpl; lia. }
        split; [| assumption]. apply NNPP. intros N. apply H5. intros j Hj.
        destruct (Nat.eq_dec j (h + 1)) as [->|]; [assumption |]. apply Hall. lia.
    + right. split; [| auto]. intros i Hi. apply (H3 i); simpl; auto; lia.
Qed.

Lemma interval_only_before lo hi : interval tr OnlyBefore lo hi <-> run tr (scoped tr OnlyBefore) lo hi.
Proof.
  rewrite run_split. simpl.
  assert (forall i j, (exists k, k <= i /\ mode k) -> i <= j -> inside tr j -> exists k, k <= j /\ mode k) as Hup.
  { intros i j [k [? ?]] ? _. exists k. split; [lia | assumption]. }
  split.
  - intros [[H1 [H2 H3]] ->]. split.
    + apply closed_run_end; [exact Hup | exists lo; auto | auto].
    + destruct lo as [|lo]; [auto | right]. intros [j [Hj Mj]]. apply (H3 j); [lia | assumption].
  - intros [H1 H2]. assert (exists k, k <= lo /\ mode k) as Hlo.
    { destruct H1 as [_ [? [H1 _]]]. apply H1; [lia | assumption]. }
    apply closed_run_end in H1; auto. destruct H1 as [Hi ->]. split; [| reflexivity].
    destruct Hlo as [k [Hk Mk]]. assert (k = lo) as ->.
    { destruct H2 as [-> | H2]; [lia |]. destruct (Nat.eq_dec k lo); [assumption | exfalso]. apply H2. exists k. split; [lia | assumption]. }
    split; [assumption | split; [assumption |]]. intros j Hj Mj.
    destruct H2 as [-> | H2]; [lia |]. apply H2. exists j. split; [lia | assumption].
Qed.

(** The first end of a run of the mode is the end of the first run. *)
Lemma first_left b : (~ mode (b + 1) /\ mode b) -> (forall j, j < b + 1 -> ~ (~ mode j /\ 1 <= j /\ mode (j - 1))) ->
  inside tr (b + 1) -> exists a, first tr mode a /\ run tr mode a (Some b).
Proof.
  intros [N1 M1] Hno Hin. destruct (run_start mode b M1) as [a [H1 [H2 H3]]].
  exists a. split.
  - split; [apply (inside_le tr (b + 1)); auto; lia | split; [apply H2; lia |]].
    intros j Hj Mj. destruct (greatest mode (a - 1) j) as [e [He [Me Hmax]]]; [lia | assumption |].
    assert (e <> a - 1) as Hne.
    { intros ->. destruct H3; [lia | auto]. }
    apply (Hno (e + 1)); [lia |]. replace (e + 1 - 1) with e by lia. repeat split; auto; [| lia].
    apply Hmax. lia.
  - repeat split; auto. apply (inside_le tr (b + 1)); auto; lia.
Qed.

Lemma no_left_before a b : first tr mode a -> run tr mode a (Some b) ->
  forall j, j <= b -> ~ (~ mode j /\ 1 <= j /\ mode (j - 1)).
Proof.
  intros [_ [Ma Hf]] [_ [_ [Hr _]]] j Hj [N [H1 M1]].
  destruct (le_lt_dec a (j - 1)).
  - apply N. apply Hr; simpl; lia.
  - apply (Hf (j - 1)); auto.
Qed.

Lemma interval_after lo hi : interval tr After lo hi <-> run tr (scoped tr After) lo hi.
Proof.
  rewrite run_split. simpl.
  set (left := fun j => ~ mode j /\ 1 <= j /\ mode (j - 1)).
  assert (forall i j, (exists k, k <= i /\ left k) -> i <= j -> inside tr j -> exists k, k <= j /\ left k) as Hup.
  { intros i j [k [? ?]] ? _. exists k. split; [lia | assumption]. }
  split.
  - intros [a [b [H1 [H2 [-> [Hin ->]]]]]].
    assert (left (b + 1)) as Hl.
    { unfold left. replace (b + 1 - 1) with b by lia. pose proof H2 as [_ [Hab [Hr [_ He]]]]. repeat split.
      - destruct He as [He | [_ He]]; [| assumption]. unfold inside in Hin. rewrite He in Hin. simpl in Hin. lia.
      - lia.
      - apply Hr; simpl in *; lia. }
    split.
    + apply closed_run_end; [exact Hup | exists (b + 1); auto | auto].
    + right. replace (b + 1 - 1) with b by lia. intros [j [Hj Lj]].
      eapply no_left_before; eauto.
  - intros [H1 H2]. assert (exists k, k <= lo /\ left k) as Hlo.
    { destruct H1 as [_ [? [H1 _]]]. apply H1; [lia | assumption]. }
    apply closed_run_end in H1; auto. destruct H1 as [Hi ->].
    destruct Hlo as [k [Hk Lk]]. assert (k = lo) as ->.
    { destruct H2 as [-> | H2]; [lia |]. destruct (Nat.eq_dec k lo); [assumption | exfalso]. apply H2. exists k. split; [lia | assumption]. }
    assert (forall j, j < lo -> ~ left j) as Hno.
    { intros j Hj Lj. destruct H2 as [-> | H2]; [lia |]. apply H2. exists j. split; [lia | assumption]. }
    destruct Lk as [N [Hlo M1]].
    destruct (first_left (lo - 1)) as [a [Ha Hr]].
    + replace (lo - 1 + 1) with lo by lia. auto.
    + replace (lo - 1 + 1) with lo by lia. exact Hno.
    + replace (lo - 1 + 1) with lo by lia. assumption.
    + exists a, (lo - 1). repeat split; auto; try apply Ha; try apply Hr. lia.
Qed.

Lemma interval_only_after lo hi : interval tr OnlyAfter lo hi <-> run tr (scoped tr OnlyAfter) lo hi.
Proof.
  rewrite run_split. simpl.
  set (left := fun j => ~ mode j /\ 1 <= j /\ mode (j - 1)).
  split.
  - intros [-> Hhi]. split; [| auto]. destruct Hhi as [[a [Ha Hr]] | [Hn ->]].
    + destruct hi as [b|].
      * pose proof Hr as [_ [Hab [Hm [_ He]]]]. simpl in Hab. repeat split; auto.
        -- simpl. lia.
        -- intros i _ Hi j Hj. simpl in Hi. apply (no_left_before a b); auto; lia.
        -- destruct He as [He | [He Ne]]; [auto | right]. split; [assumption |]. intros N. apply (N (b + 1)); [lia |].
           unfold left. replace (b + 1 - 1) with b by lia. repeat split; [assumption | lia | apply Hm; simpl; lia].
      * destruct Hr as [_ [_ [Hm [_ He]]]]. destruct Ha as [_ [Ma Hf]]. repeat split; auto.
        intros i _ _ j Hj [N [H1 M1]]. destruct (le_lt_dec a (j - 1)); [apply N, Hm; simpl; auto; lia | apply (Hf (j - 1)); auto].
    + repeat split; auto.
      * intros i _ Hi j Hj [N [H1 M1]]. apply (Hn (j - 1)); [| assumption]. apply (inside_le tr i); [assumption | lia].
      * destruct (last tr); auto.
  - intros [[H1 [H2 [H3 H4]]] Hlo].
    assert (lo = 0) as ->.
    { destruct Hlo as [|Hlo]; [assumption | exfalso]. apply Hlo. intros j Hj.
      apply (H3 lo); [lia | assumption | lia]. }
    split; [reflexivity |].
    destruct (classic (exists h, hi = Some h /\ last tr <> Some h)) as [[h [-> Hne]] | Hlast].
    + destruct H4 as [H4 | [H4 H5]]; [tauto |]. left.
      assert (left (h + 1)) as [N [_ M1]].
      { apply NNPP. intros N. apply H5. intros j Hj. destruct (Nat.eq_dec j (h + 1)) as [->|]; [assumption |].
        apply (H3 h); simpl in *; lia. }
      replace (h + 1 - 1) with h in M1 by lia. apply first_left; auto.
      intros j Hj. apply (H3 h); simpl in *; lia.
    + assert (hi = last tr) as ->.
      { destruct hi as [h|]; [| auto]. apply NNPP. intros N. apply Hlast. exists h. split; auto. }
      destruct (classic (exists i, inside tr i /\ mode i)) as [[i0 [Hi0 Mi0]] | No].
      * left. destruct (least (fun i => inside tr i /\ mode i) i0) as [a [_ [[Ia Ma] Hmin]]]; [tauto |].
        assert (forall j, j < a -> ~ mode j) as Hf.
        { intros j Hj Mj. apply (Hmin j); [assumption |]. split; [apply (inside_le tr a); [assumption | lia] | assumption]. }
        exists a. split; [repeat split; auto |].
        assert (forall d, inside tr (a + d) -> mode (a + d)) as Hd.
        { induction d as [|d IH]; intros Hin; [rewrite Nat.add_0_r; assumption |].
          apply NNPP. intros N. apply (H3 (a + Datatypes.S d)) with (j := a + Datatypes.S d); [lia | assumption | lia |].
          unfold left. repeat split; [assumption | lia |]. replace (a + Datatypes.S d - 1) with (a + d) by lia. apply IH.
          apply (inside_le tr (a + Datatypes.S d)); [assumption | lia]. }
        repeat split; auto.
        -- intros i Hi Hu. replace i with (a + (i - a)) by lia. apply Hd. replace (a + (i - a)) with i by lia. assumption.
        -- destruct a; [auto | right]. apply Hf. lia.
        -- destruct (last tr); auto.
      * right. split; [| reflexivity]. intros i Hi Mi. apply No. eauto.
Qed.

Theorem interval_is_run s lo hi : interval tr s lo hi <-> run tr (scoped tr s) lo hi.
Proof.
  destruct s; auto using interval_null, interval_before, interval_after, interval_only_before, interval_only_after;
    reflexivity.
Qed.
End Intervals.

(** ** Triggers are sets *)

(** Position t is a trigger. *)
Definition triggered (tr : trace) (S : nat -> Prop) (c : condition) (t : nat) : Prop :=
  let cond i := at_position tr i COND in
  S t /\
  match c with
  | NoCondition => t = 0 \/ ~ S (t - 1)
  | Holding => cond t
  | Regular => cond t /\ (t = 0 \/ ~ (S (t - 1) /\ cond (t - 1)))
  end.

Lemma trigger_is_set tr S c lo hi t : run tr S lo hi -> lo <= t -> upto hi t ->
  (trigger tr c lo hi t <-> triggered tr S c t).
Proof.
  intros [_ [_ [HS [Hlo _]]]] Ht Hu. unfold trigger, triggered.
  assert (S t) as St by auto.
  assert (t <> lo -> S (t - 1)) as Sp.
  { intros. apply HS; [lia |]. destruct hi; simpl in *; [lia | auto]. }
  destruct (Nat.eq_dec t lo) as [->|Hne].
  - destruct c; tauto.
  - specialize (Sp Hne). destruct c; [| | tauto].
    + split; [tauto |]. intros [_ [H0 | H0]]; [lia | tauto].
    + split; [tauto |]. intros [_ [Hc [H0 | H0]]]; [lia |]. tauto.
Qed.

(** What is demanded of each trigger t up to the end of its run. *)
Definition core (tr : trace) (S Tr : nat -> Prop) (demand : nat -> option nat -> Prop) : Prop :=
  forall t hi, Tr t -> run_end tr S t hi -> demand t hi.

(** Every trigger of every interval meets the demand. *)
Definition demands (tr : trace) (s : scope) (c : condition) (demand : nat -> option nat -> Prop) : Prop :=
  forall lo hi t, interval tr s lo hi -> trigger tr c lo hi t -> demand t hi.

Theorem demands_core tr s c demand : inside tr 0 ->
  (demands tr s c demand <-> core tr (scoped tr s) (triggered tr (scoped tr s) c) demand).
Proof.
  intros Hne. unfold demands, core. split.
  - intros Hh t hi Ht Hr. destruct (run_start (scoped tr s) t) as [lo [H1 [H2 H3]]]; [apply Ht |].
    pose proof Hr as [R1 [R2 [R3 R4]]].
    assert (run tr (scoped tr s) lo hi) as Hrun.
    { repeat split; auto.
      - apply (inside_le tr t); auto.
      - destruct hi; simpl in *; [lia | auto].
      - intros i Hi Hu. destruct (le_lt_dec t i); [apply R3; auto | apply H2; lia]. }
    apply (Hh lo); [apply interval_is_run; auto |].
    eapply trigger_is_set; eauto.
  - intros Hc lo hi t Hi Ht. apply interval_is_run in Hi; auto. pose proof Ht as [Hlo [Hu _]].
    apply trigger_is_set with (S := scoped tr s) in Ht; auto.
    apply Hc; [assumption |]. apply run_split in Hi. destruct Hi as [Hi _].
    apply (run_end_later _ _ lo); auto. apply (run_end_inside _ _ _ _ _ Hi Hu).
Qed.
